import { type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';

const keepers: Row = { staff: ['hr'], admin: true };
const keptRecord: Row = { ...keepers, ids: 'person' };
const wholeRecord: Row = { ...signedIn, ids: 'person' };
const listReaders: Row = { staff: ['hr', 'principal', 'office', 'accountant'], admin: true };

export const rows: Rows = {
  'GET /staff/option': signedIn,
  'POST /staff/:id/picture': { ...signedIn, ids: 'other' },
  'DELETE /staff/:id/picture': { ...signedIn, ids: 'other' },
  'GET /staff/picture/:id': { ...signedIn, ids: 'other' },
  'POST /staff': keepers,
  'POST /staff/import': keepers,
  'POST /staff/id-card': keepers,
  'GET /staff/:id/record': { ...signedIn, ids: 'card' },
  'PUT /staff/:id': keptRecord,
  'DELETE /staff/:id/added': keptRecord,
  'GET /staff/:id/history': keptRecord,
  'GET /staff/:id/employment': wholeRecord,
  'POST /staff/:id/post': keptRecord,
  'GET /staff/:id/education': wholeRecord,
  'POST /staff/:id/qualification': keptRecord,
  'DELETE /staff/:id/qualification/:qualification': keptRecord,
  'POST /staff/:id/experience': keptRecord,
  'DELETE /staff/:id/experience/:experience': keptRecord,
  'GET /staff/:id/document': wholeRecord,
  'POST /staff/:id/document': wholeRecord,
  'GET /staff/:id/document/:document/file': wholeRecord,
  'POST /staff/:id/document/:document/decide': keptRecord,
  'DELETE /staff/:id/document/:document': wholeRecord,
  'GET /staff/import/template': keepers,
  'POST /staff/import/errors': keepers,
  'POST /staff/import/open': keepers,
  'GET /staff/import': keepers,
  'POST /staff/import/undo': keepers,
  'GET /staff': listReaders,
  'GET /staff/count': listReaders,
  'GET /staff/export': listReaders,
  'GET /staff/view': listReaders,
  'POST /staff/view': listReaders,
  'DELETE /staff/view/:id': { ...listReaders, ids: 'other' },
  'POST /staff/:id/relieve': keptRecord,
  'POST /staff/:id/rejoin': keptRecord,
  'GET /staff/own-data': signedIn,
};

const reader = { pages: ['staff/staff-list'] };

export const work: Work = {
  office: reader,
  accountant: reader,
  principal: reader,
  hr: { ...reader, isChanging: true },
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /staff/picture/:id'];
