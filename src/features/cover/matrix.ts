import type { Row, Rows } from '#testing/callers.ts';

const givers: Row = { staff: ['office', 'principal'] };
export const rows: Rows = {
  'GET /cover': givers,
  'GET /cover/sheet': givers,
  'GET /cover/teacher': givers,
  'POST /cover': givers,
  'POST /cover/:id/cancel': { ...givers, ids: 'other' },
};
