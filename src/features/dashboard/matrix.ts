import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /dashboard/card': signedIn,
  'GET /dashboard/warnings': onlyAdmin,
};
