import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /academic/year/option': signedIn,
  'GET /academic/year-list': signedIn,
  'POST /academic/year/:id/roll-over': onlyAdmin,
  'POST /academic/year/:id/discard': onlyAdmin,
  'GET /academic/calendar': onlyAdmin,
  'GET /academic/calendar/:id/history': onlyAdmin,
  'PUT /academic/calendar/weekly-off': onlyAdmin,
  'PUT /academic/calendar/day': onlyAdmin,
  'DELETE /academic/calendar/day': onlyAdmin,
  'POST /academic/calendar/import': onlyAdmin,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /academic/calendar/:id/history', 'POST /academic/year/:id/roll-over'];
