import { type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /dashboard': signedIn,
  'GET /dashboard/badge': signedIn,
};
