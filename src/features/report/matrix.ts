import { type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';

const students: Row = {
  staff: [
    'office',
    'principal',
    'accountant',
    'transportIncharge',
    'nurse',
    'counsellor',
    'classTeacher',
    'subjectTeacher',
  ],
  admin: true,
};
const staff: Row = { staff: ['hr', 'principal', 'headOfDepartment'], admin: true };
const listOf = (path: string, row: Row): Rows => ({
  [`GET ${path}`]: row,
  [`GET ${path}/count`]: row,
  [`GET ${path}/export`]: row,
  [`GET ${path}/view`]: row,
  [`POST ${path}/view`]: row,
  [`DELETE ${path}/view/:id`]: { ...row, ids: 'other' },
});
const reportOf = (path: string, row: Row): Rows => ({
  [`GET ${path}/:id`]: { ...row, ids: 'other' },
  [`GET ${path}/:id/card/:key`]: { ...row, ids: 'other' },
  [`POST ${path}/:id/card/:key`]: { ...row, ids: 'other' },
  [`GET ${path}/:id/timeline`]: { ...row, ids: 'other' },
  [`POST ${path}/:id/paper`]: { ...row, ids: 'other' },
});

export const rows: Rows = {
  'GET /report/student/section-card': students,
  'POST /report/student/section-paper': students,
  ...listOf('/report/student', students),
  ...reportOf('/report/student', students),
  ...listOf('/report/staff', staff),
  ...reportOf('/report/staff', signedIn),
  'GET /report/staff/:id/today': { ...signedIn, ids: 'other' },
};

const reader = { pages: ['report/student-report', 'report/student-report/$studentID'] };
const staffReader = ['report/staff-report'];

export const work: Work = {
  office: reader,
  principal: { pages: [...reader.pages, ...staffReader] },
  accountant: reader,
  transportIncharge: reader,
  nurse: reader,
  counsellor: reader,
  classTeacher: reader,
  subjectTeacher: reader,
  hr: { pages: staffReader },
  headOfDepartment: { pages: staffReader },
};
