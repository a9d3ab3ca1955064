import { type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /staff/option': { staff: ['hr'], admin: true },
  'GET /staff/:userID/profile': signedIn,
  'POST /staff/picture': signedIn,
  'GET /staff/picture/:id': signedIn,
};
