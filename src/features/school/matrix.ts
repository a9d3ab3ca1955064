import { anyone, onlyAdmin, type Rows, signedIn } from '#testing/callers.ts';

const readers = { staff: ['hr', 'principal', 'office', 'accountant'], admin: true } as const;

export const rows: Rows = {
  'GET /app-configuration': anyone,
  'GET /app-configuration/logo': anyone,
  'GET /app-configuration/icon': { ...anyone, isNameless: true },
  'GET /academic/school': onlyAdmin,
  'PUT /academic/school': onlyAdmin,
  'POST /academic/school/logo': onlyAdmin,
  'GET /academic/school/paper': onlyAdmin,
  'GET /academic/school/signature': onlyAdmin,
  'POST /academic/school/signature': onlyAdmin,
  'DELETE /academic/school/signature': onlyAdmin,
  'GET /academic/setting': onlyAdmin,
  'GET /academic/setting/:id/history': onlyAdmin,
  'PUT /academic/setting/:key': onlyAdmin,
  'GET /academic/number-series': onlyAdmin,
  'GET /academic/number-series/:id/history': onlyAdmin,
  'POST /academic/number-series': onlyAdmin,
  'PUT /academic/number-series/:id': onlyAdmin,
  'GET /academic/text-message': onlyAdmin,
  'GET /academic/text-message/:id/history': onlyAdmin,
  'PUT /academic/text-message/:kind': onlyAdmin,
  'GET /academic/language': onlyAdmin,
  'GET /academic/language/text': { ...onlyAdmin, example: { language: 'gu', area: 'form' } },
  'PUT /academic/language': onlyAdmin,
  'GET /academic/language/school-words': onlyAdmin,
  'PUT /academic/language/school-words': onlyAdmin,
  'GET /academic/branch/option': signedIn,
  'GET /academic/room/option': { ...onlyAdmin, staff: ['office', 'admissionHead'] },
  'GET /academic/department/option': readers,
  'GET /academic/designation/option': readers,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = [
  'GET /academic/number-series/:id/history',
  'GET /academic/setting/:id/history',
  'GET /academic/text-message/:id/history',
];
