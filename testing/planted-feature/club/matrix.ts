import { type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';

const office: Row = { staff: ['office'], admin: true };

export const rows: Rows = {
  'GET /club-count': signedIn,
  'GET /club-option': { staff: ['office'] },
  'POST /club-member': { staff: ['office'] },
  'DELETE /club-member': { staff: ['office'] },
  'GET /club-meeting': office,
  'GET /club-meeting/count': office,
  'GET /club-meeting/export': office,
  'GET /club-meeting/view': office,
  'POST /club-meeting/view': office,
  'DELETE /club-meeting/view/:id': { ...office, ids: 'other' },
  'GET /club-meeting/:id/record': { ...office, ids: 'other' },
};

export const work: Work = { office: { pages: ['club/meeting-list'] } };

/** Reads whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /club-meeting/:id/record'];
