import { familyHolder, type Row, type Rows, type Work } from '#testing/callers.ts';

const keepers: Row = { staff: ['office', 'principal'] };
const readers: Row = { staff: ['office', 'principal', 'classTeacher', 'subjectTeacher'] };
const kept: Row = { ...keepers, ids: 'other' };
const read: Row = { ...readers, ids: 'other' };
const span = { from: '10:00', to: '11:00', roomId: '', place: '' };
export const rows: Rows = {
  'GET /meeting': readers,
  'GET /meeting/count': readers,
  'GET /meeting/export': { ...readers, isNameless: true },
  'GET /meeting/view': readers,
  'POST /meeting/view': readers,
  'DELETE /meeting/view/:id': read,
  'GET /meeting/offer': keepers,
  'GET /meeting/:id': read,
  'POST /meeting': keepers,
  'PUT /meeting/:id': kept,
  'POST /meeting/:id/host': { ...kept, example: { staffId: 1, ...span } },
  'PUT /meeting/host/:id': { ...kept, example: span },
  'DELETE /meeting/host/:id': kept,
  'POST /meeting/:id/open': kept,
  'POST /meeting/host/:id/close': kept,
  'POST /meeting/:id/cancel': kept,
  'GET /meeting/host/:id/slot': read,
  'GET /meeting/student': keepers,
  'POST /meeting/slot/:id/book': kept,
  'POST /meeting/slot/:id/free': kept,
  'POST /meeting/slot/:id/came': read,
  'GET /meeting/:id/sheet': read,
  'GET /family/meeting/host/:id/slot': familyHolder,
  'POST /family/meeting/slot/:id/book': familyHolder,
  'POST /family/meeting/slot/:id/free': familyHolder,
};

const pages = ['meeting/meeting-list', 'meeting/meeting-list/$meetingID'] as const;
const keeper = { pages, isChanging: true } as const;
export const work: Work = { office: keeper, principal: keeper, classTeacher: { pages }, subjectTeacher: { pages } };

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /meeting/:id', 'GET /meeting/host/:id/slot', 'GET /meeting/:id/sheet'];
