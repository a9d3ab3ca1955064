import { familyHolder, masterRows, onlyAdmin, provenHolder, type Row, type Rows, type Work } from '#testing/callers.ts';
import { attendanceMasters } from './contract/masters.ts';

const takers: Row = { staff: ['classTeacher', 'subjectTeacher', 'office', 'principal'], admin: true };

const readers: Row = { staff: ['classTeacher', 'subjectTeacher', 'office', 'principal'] };

const openers: Row = { staff: ['classTeacher', 'subjectTeacher', 'substitute', 'office', 'principal'] };

const leave: Row = { staff: ['classTeacher', 'office', 'principal'] };

export const rows: Rows = {
  ...masterRows(attendanceMasters, onlyAdmin),
  'GET /attendance/code/option': takers,
  'GET /attendance/twice': onlyAdmin,
  'PUT /attendance/twice': onlyAdmin,
  'GET /attendance/register': openers,
  'POST /attendance/register': openers,
  'GET /attendance/month': readers,
  'GET /attendance/month/file': readers,
  'GET /attendance/daily': { staff: ['office', 'principal', 'transportIncharge', 'hr'] },
  'GET /attendance/correction': { staff: ['office', 'principal'] },
  'POST /attendance/correction': { staff: ['classTeacher', 'office', 'principal'] },
  'GET /family/leave': provenHolder,
  'GET /family/leave/count': {
    ...familyHolder,
    example: { studentId: 1, fromDay: '2026-11-26', toDay: '2026-11-26', half: 'Whole day' },
  },
  'POST /family/leave': provenHolder,
  'POST /family/leave/:id/withdraw': provenHolder,
  'GET /attendance/leave': leave,
  'GET /attendance/leave/count': leave,
  'GET /attendance/leave/export': leave,
  'GET /attendance/leave/view': leave,
  'POST /attendance/leave/view': leave,
  'DELETE /attendance/leave/view/:id': { ...leave, ids: 'other' },
  'POST /attendance/leave': leave,
  'GET /attendance/leave/of/:id': { ...leave, ids: 'other' },
  'POST /attendance/leave/:id/paper': { ...leave, ids: 'other' },
  'GET /attendance/leave/:id/paper': { ...leave, ids: 'other', isNameless: true },
  'POST /attendance/leave/:id/cancel': { ...leave, ids: 'other' },
  'POST /attendance/gate': { staff: ['office', 'principal'] },
  'GET /attendance/exit/child': { staff: ['office', 'principal'], example: { number: '5B 17' } },
  'POST /attendance/exit': { staff: ['office', 'principal'] },
  'POST /attendance/exit/:id/returned': { staff: ['office', 'principal'], ids: 'other' },
  'GET /attendance/exit/:id/slip': { staff: ['office', 'principal'], ids: 'other' },
  'POST /attendance/call': { staff: ['office', 'principal'] },
  'POST /attendance/daily/remind': { staff: ['office', 'principal'] },
  'POST /attendance/register/:id/lock': { staff: ['office', 'principal'], ids: 'other' },
  'POST /attendance/register/:id/undo': { ...openers, ids: 'other' },
};

const teacher = { pages: ['attendance/student-attendance', 'attendance/month-wise-attendance'] } as const;
const classTeacher = { pages: [...teacher.pages, 'attendance/student-leave'] } as const;
const office = { pages: [...classTeacher.pages, 'attendance/daily-attendance'] } as const;

export const work: Work = {
  classTeacher,
  subjectTeacher: teacher,
  substitute: { pages: ['attendance/student-attendance'] },
  office,
  principal: office,
  transportIncharge: { pages: ['attendance/daily-attendance'] },
  hr: { pages: ['attendance/daily-attendance'] },
};
