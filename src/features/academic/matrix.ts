import { onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /academic/program/option': signedIn,
  'GET /academic/grade/option': signedIn,
  'GET /academic/house/option': signedIn,
  'GET /academic/board-list': signedIn,
  'GET /academic/grading-scale': onlyAdmin,
  'POST /academic/grading-scale': onlyAdmin,
  'GET /academic/grading-scale/:id/history': onlyAdmin,
  'PUT /academic/grading-scale/:id': { ...onlyAdmin, example: { bands: [{ min: 0, grade: 'A', points: null }] } },
  'DELETE /academic/grading-scale/:id': onlyAdmin,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /academic/grading-scale/:id/history'];
