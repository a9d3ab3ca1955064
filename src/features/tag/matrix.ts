import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /configuration/tag/offer': signedIn,
  'GET /configuration/tag/:id/merge': onlyAdmin,
  'POST /configuration/tag/:id/merge': onlyAdmin,
};
