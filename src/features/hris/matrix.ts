import { masterRows, type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';
import { hrisMasters } from './contract/masters.ts';

const staffReaders: Row = { staff: ['hr', 'principal', 'office', 'accountant'], admin: true };

export const rows: Rows = {
  ...masterRows(hrisMasters, { staff: ['hr'], admin: true }),
  'GET /hris/employment-type/option': staffReaders,
  'GET /hris/staff-category/option': staffReaders,
  'GET /hris/document-type/option': signedIn,
};

/** Its lists are tabs of a page of `workday`. */
export const work: Work = { hr: { pages: [], isChanging: true } };
