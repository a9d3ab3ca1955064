import { onlyAdmin, type Row, type Rows, signedIn } from '#testing/callers.ts';

const listReaders: Row = { staff: ['hr', 'principal', 'office', 'accountant'], admin: true };

export const rows: Rows = {
  'GET /staff/option': onlyAdmin,
  'GET /staff/:userID/profile': signedIn,
  'POST /staff/picture': signedIn,
  'GET /staff/picture/:id': signedIn,
  'GET /staff': listReaders,
  'GET /staff/count': listReaders,
  'GET /staff/export': listReaders,
  'GET /staff/view': listReaders,
  'POST /staff/view': listReaders,
  'DELETE /staff/view/:id': listReaders,
};
