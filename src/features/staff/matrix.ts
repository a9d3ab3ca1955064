import { type Rows, signedIn } from '#testing/callers.ts';

const keepers = { staff: ['hr'], admin: true } as const;

export const rows: Rows = {
  'GET /staff/option': keepers,
  'GET /staff/own-account': signedIn,
  'POST /staff/picture': signedIn,
  'GET /staff/picture/:id': signedIn,
  'POST /staff': keepers,
  'GET /staff/:id/record': signedIn,
  'PUT /staff/:id': keepers,
  'GET /staff/:id/history': keepers,
  'GET /staff/:id/employment': signedIn,
  'POST /staff/:id/post': keepers,
  'GET /staff/own-data': signedIn,
};
