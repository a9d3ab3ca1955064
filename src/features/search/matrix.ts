import { type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /search': signedIn,
};
