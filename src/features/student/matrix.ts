import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /academic/section-student': onlyAdmin,
  'GET /academic/section-student/grade': onlyAdmin,
  'GET /academic/section-student/student': onlyAdmin,
  'POST /academic/section-student': onlyAdmin,
  'POST /academic/section-student/spread': onlyAdmin,
  'POST /academic/section-student/:id/roll-number': onlyAdmin,
  'PUT /academic/section-student/:id/roll-number': onlyAdmin,
  'POST /academic/section-student/:id/roll-number/import': onlyAdmin,
  'GET /academic/section-student/:id/roll-number/import/template': onlyAdmin,
  'POST /academic/section-student/:id/roll-number/import/errors': onlyAdmin,
  'POST /academic/section-student/:id/roll-lock': onlyAdmin,
  'GET /academic/section-student/promotion': onlyAdmin,
  'POST /academic/section-student/promotion': onlyAdmin,
  'GET /academic/section-student/student/:id/history': onlyAdmin,
  'GET /academic/section-student/promoted': onlyAdmin,
  'GET /academic/section-student/promoted/:id': onlyAdmin,
  'GET /academic/section-student/export': onlyAdmin,
};
