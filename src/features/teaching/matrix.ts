import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /academic/section-teacher': onlyAdmin,
  'GET /academic/section-teacher/gap': onlyAdmin,
  'GET /academic/section-teacher/load': onlyAdmin,
  'POST /academic/section-teacher': onlyAdmin,
  'PUT /academic/section-teacher/:id': onlyAdmin,
  'POST /academic/section-teacher/:id/replace': onlyAdmin,
  'DELETE /academic/section-teacher/:id': onlyAdmin,
  'POST /academic/section-teacher/copy': onlyAdmin,
  'POST /academic/section-teacher/import': onlyAdmin,
  'GET /academic/section-teacher/import/template': onlyAdmin,
  'POST /academic/section-teacher/import/errors': onlyAdmin,
  'POST /academic/section-teacher/import/open': onlyAdmin,
  'GET /academic/section-teacher/import': onlyAdmin,
  'POST /academic/section-teacher/import/undo': onlyAdmin,
  'GET /academic/section-teacher/export': onlyAdmin,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['PUT /academic/section-teacher/:id', 'POST /academic/section-teacher/:id/replace'];
