import { masterRows, type Rows } from '#testing/callers.ts';
import { hrisMasters } from './contract/masters.ts';

const readers = { staff: ['hr', 'principal', 'office', 'accountant'], admin: true } as const;

export const rows: Rows = {
  ...masterRows(hrisMasters, { staff: ['hr'], admin: true }),
  'GET /hris/employment-type/option': readers,
  'GET /hris/staff-category/option': readers,
};
