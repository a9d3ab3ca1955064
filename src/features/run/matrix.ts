import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /run': onlyAdmin,
  'POST /run/:id/stop': onlyAdmin,
  'GET /run/:id': { ...signedIn, ids: 'other' },
  'POST /run/:id/cancel': { ...signedIn, ids: 'other' },
  'GET /run/:id/result': { ...signedIn, ids: 'other' },
};
