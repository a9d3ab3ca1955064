import { onlyAdmin, type Row, type Rows } from '#testing/callers.ts';

const readers: Row = { staff: ['office', 'principal', 'accountant'], admin: true };

export const rows: Rows = {
  'GET /year-end': readers,
  'GET /year-end/closed': readers,
  'POST /year-end/:id/close': onlyAdmin,
  'POST /year-end/:id/reopen': onlyAdmin,
};

/** Their ids are of years. */
export const opensNothing = ['POST /year-end/:id/close', 'POST /year-end/:id/reopen'];
