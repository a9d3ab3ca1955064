import type { Row, Rows } from '#testing/callers.ts';

const readers: Row = { staff: ['accountant', 'financeApprover', 'principal'] };
const writers: Row = { staff: ['accountant'] };
export const rows: Rows = {
  'GET /bank/deposit': readers,
  'GET /bank/deposit/count': readers,
  'GET /bank/deposit/export': { ...readers, isNameless: true },
  'GET /bank/deposit/view': readers,
  'POST /bank/deposit/view': readers,
  'DELETE /bank/deposit/view/:id': { ...readers, ids: 'other' },
  'POST /bank/deposit': writers,
  'GET /bank/deposit/:id/paper': { ...readers, ids: 'other' },
  'GET /bank/line': readers,
  'GET /bank/line/count': readers,
  'GET /bank/line/export': readers,
  'GET /bank/line/view': readers,
  'POST /bank/line/view': readers,
  'DELETE /bank/line/view/:id': { ...readers, ids: 'other' },
  'GET /bank/line/:id/candidate': { ...readers, ids: 'other' },
  'POST /bank/line/:id/match': { ...writers, ids: 'other' },
  'POST /bank/line/:id/undo': { ...writers, ids: 'other' },
  'POST /bank/line/:id/set-aside': { ...writers, ids: 'other' },
  'POST /bank/line/:id/unplaced': { ...writers, ids: 'other' },
  'POST /bank/line/match': writers,
  'GET /bank/unseen': readers,
  'GET /bank/unseen/count': readers,
  'GET /bank/unseen/export': readers,
  'GET /bank/unseen/view': readers,
  'POST /bank/unseen/view': readers,
  'DELETE /bank/unseen/view/:id': { ...readers, ids: 'other' },
  'GET /bank/day': readers,
  'POST /bank/day': writers,
  'GET /bank/ledger-name': readers,
  'POST /bank/ledger-name': writers,
  'GET /bank/tally': readers,
  'GET /bank/tally/file': writers,
  'POST /bank/statement': writers,
  'GET /bank/statement': writers,
  'GET /bank/statement/template': { ...writers, isNameless: true },
  'POST /bank/statement/errors': { ...writers, isNameless: true },
  'POST /bank/statement/open': writers,
  'POST /bank/statement/undo': writers,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = [
  'GET /bank/deposit/:id/paper',
  'GET /bank/line/:id/candidate',
  'POST /bank/line/:id/unplaced',
];
