import { masterRows, onlyAdmin, type Row, type Rows, type Work } from '#testing/callers.ts';
import { attendanceMasters } from './contract/masters.ts';

const takers: Row = { staff: ['classTeacher', 'subjectTeacher', 'office', 'principal'], admin: true };

const readers: Row = { staff: ['classTeacher', 'subjectTeacher', 'office', 'principal'] };

export const rows: Rows = {
  ...masterRows(attendanceMasters, onlyAdmin),
  'GET /attendance/code/option': takers,
  'GET /attendance/register': readers,
  'POST /attendance/register': readers,
  'POST /attendance/register/:id/undo': { ...readers, ids: 'other' },
};

const taker = { pages: ['attendance/student-attendance'], isChanging: true } as const;

export const work: Work = { classTeacher: taker, subjectTeacher: taker, office: taker, principal: taker };
