import { anyone, familyHolder, feedHolder, provenHolder, type Row, type Rows, type Work } from '#testing/callers.ts';

const keepers: Row = { staff: ['office', 'principal'], admin: true };

export const rows: Rows = {
  'GET /family': familyHolder,
  'POST /family/opened': familyHolder,
  'PUT /family/preference': familyHolder,
  'POST /family/code': familyHolder,
  'POST /family/prove': familyHolder,
  'POST /family/sign-out': provenHolder,
  'GET /family/phone': anyone,
  'GET /family/manifest': { ...anyone, isNameless: true },
  'GET /family/reader': provenHolder,
  'GET /family/own': provenHolder,
  'PUT /family/wish': provenHolder,
  'POST /family/contact/code': provenHolder,
  'POST /family/contact': provenHolder,
  'POST /family/contact/request': provenHolder,
  'GET /family/feed': provenHolder,
  'POST /family/feed': provenHolder,
  'DELETE /family/feed': provenHolder,
  // First letters of children, no names.
  'GET /family/calendar.ics': { ...feedHolder, isNameless: true },
  'POST /family/renewal': anyone,
  'POST /family/by-number': anyone,
  'GET /family-link': keepers,
  'GET /family-link/count': keepers,
  'GET /family-link/export': keepers,
  'GET /family-link/view': keepers,
  'POST /family-link/view': keepers,
  'DELETE /family-link/view/:id': { ...keepers, ids: 'other' },
  'GET /family-link/student/:id': { ...keepers, ids: 'other' },
  'PUT /family-link/:id/language': { ...keepers, ids: 'other' },
  'PUT /family-link/student/:id/reach': { ...keepers, ids: 'other' },
  'POST /family-link/:id/send': { ...keepers, ids: 'other' },
  'POST /family-link/:id/renew': { ...keepers, ids: 'other' },
  'POST /family-link/:id/copy': { ...keepers, ids: 'other' },
  'POST /family-link/:id/slip': { ...keepers, ids: 'other' },
  'POST /family-link/:id/revoke': { ...keepers, ids: 'other' },
  'POST /family-link/:id/contact-undo': { ...keepers, ids: 'other' },
  'GET /family-link/:id/message': { ...keepers, ids: 'other' },
  'GET /family-link/:id/contact-paper': { ...keepers, ids: 'other', isNameless: true },
  'POST /family-link/send-many': keepers,
  'POST /family-link/try-again': keepers,
};

const pages = ['family/link-list'];
export const work: Work = { office: { pages, isChanging: true }, principal: { pages, isChanging: true } };
