import { masterRows, onlyAdmin, type Row, type Rows } from '#testing/callers.ts';
import { attendanceMasters } from './contract/masters.ts';

const takers: Row = { staff: ['classTeacher', 'subjectTeacher', 'office', 'principal'], admin: true };

export const rows: Rows = {
  ...masterRows(attendanceMasters, onlyAdmin),
  'GET /attendance/code/option': takers,
};
