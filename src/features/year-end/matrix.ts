import { onlyAdmin, type Row, type Rows, type Work } from '#testing/callers.ts';

const readers: Row = { staff: ['office', 'principal', 'accountant'], admin: true };

export const rows: Rows = {
  'GET /year-end': readers,
  'GET /year-end/closed': readers,
  'POST /year-end/:id/close': onlyAdmin,
  'POST /year-end/:id/reopen': onlyAdmin,
};

/** Its id is of a year. */
export const opensNothing = ['POST /year-end/:id/close'];

const pages = ['academic/year-end'];

export const work: Work = { office: { pages }, principal: { pages }, accountant: { pages } };
