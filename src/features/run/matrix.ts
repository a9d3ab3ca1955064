import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /run': onlyAdmin,
  'POST /run/:id/stop': onlyAdmin,
  'GET /run/:id': { ...signedIn, ids: 'other' },
  'POST /run/:id/cancel': { ...signedIn, ids: 'other' },
  'GET /run/:id/result': { ...signedIn, ids: 'other' },
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /run/:id', 'GET /run/:id/result'];
