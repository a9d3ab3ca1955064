import { type Row, type Rows, signedIn } from '#testing/callers.ts';

const keepers: Row = { staff: ['hr'], admin: true };
const listReaders: Row = { staff: ['hr', 'principal', 'office', 'accountant'], admin: true };

export const rows: Rows = {
  'GET /staff/option': keepers,
  'GET /staff/own-account': signedIn,
  'POST /staff/picture': signedIn,
  'GET /staff/picture/:id': signedIn,
  'POST /staff': keepers,
  'POST /staff/import': keepers,
  'GET /staff/:id/record': signedIn,
  'PUT /staff/:id': keepers,
  'GET /staff/:id/history': keepers,
  'GET /staff/:id/employment': signedIn,
  'POST /staff/:id/post': keepers,
  'GET /staff/:id/education': signedIn,
  'POST /staff/:id/qualification': keepers,
  'DELETE /staff/:id/qualification/:qualification': keepers,
  'POST /staff/:id/experience': keepers,
  'DELETE /staff/:id/experience/:experience': keepers,
  'GET /staff/:id/document': signedIn,
  'POST /staff/:id/document': signedIn,
  'GET /staff/:id/document/:document/file': signedIn,
  'POST /staff/:id/document/:document/decide': keepers,
  'DELETE /staff/:id/document/:document': signedIn,
  'GET /staff': listReaders,
  'GET /staff/count': listReaders,
  'GET /staff/export': listReaders,
  'GET /staff/view': listReaders,
  'POST /staff/view': listReaders,
  'DELETE /staff/view/:id': listReaders,
};
