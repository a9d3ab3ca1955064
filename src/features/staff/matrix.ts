import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /staff/option': onlyAdmin,
  'GET /staff/:userID/profile': signedIn,
  'POST /staff/picture': signedIn,
  'GET /staff/picture/:id': signedIn,
  'POST /staff/:id/relieve': { staff: ['hr'], admin: true },
  'POST /staff/:id/rejoin': { staff: ['hr'], admin: true },
  'GET /staff/:id/account': onlyAdmin,
  'POST /staff/:id/invite': onlyAdmin,
  'POST /staff/:id/suspend': onlyAdmin,
  'POST /staff/:id/grant': onlyAdmin,
};
