import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /configuration/tag/offer': signedIn,
  'GET /configuration/tag/:id/merge': onlyAdmin,
  'POST /configuration/tag/:id/merge': onlyAdmin,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /configuration/tag/:id/merge'];
