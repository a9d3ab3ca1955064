import { onlyAdmin, type Row, type Rows, type Work } from '#testing/callers.ts';

const family = [
  'office',
  'principal',
  'accountant',
  'transportIncharge',
  'nurse',
  'counsellor',
  'classTeacher',
] as const;
const readers: Row = { staff: [...family, 'subjectTeacher'], admin: true };
const keepers: Row = { staff: ['office'], admin: true };

export const rows: Rows = {
  'GET /student': readers,
  'GET /student/count': readers,
  'GET /student/export': readers,
  'GET /student/view': readers,
  'POST /student/view': readers,
  'DELETE /student/view/:id': { ...readers, ids: 'other' },
  'POST /student': keepers,
  'GET /student/seat': keepers,
  'GET /student/known-guardian': keepers,
  'GET /student/section-option': readers,
  'GET /student/category': readers,
  'GET /student/nationality': keepers,
  'GET /student/religion': keepers,
  'GET /student/caste-category': keepers,
  'GET /student/mother-tongue': keepers,
  'GET /student/relation': keepers,
  'GET /student/:id': { ...readers, ids: 'other' },
  'GET /student/:id/enrollment': { ...readers, ids: 'other' },
  'GET /student/:id/personal': {
    staff: ['office', 'principal', 'nurse', 'counsellor', 'classTeacher'],
    admin: true,
    ids: 'other',
  },
  'GET /student/:id/identity': { staff: ['office', 'principal', 'classTeacher'], admin: true, ids: 'other' },
  'PUT /student/:id/personal': { ...keepers, ids: 'other' },
  'PUT /student/:id/identity': { ...keepers, ids: 'other' },
  'POST /student/:id/guardian': { ...keepers, ids: 'other' },
  'PUT /student/:id/guardian/:guardian': { ...keepers, ids: 'other' },
  'DELETE /student/:id/guardian/:guardian': { ...keepers, ids: 'other' },
  'PUT /student/:id/guardian/:guardian/primary': { ...keepers, ids: 'other' },
  'GET /student/:id/family': { staff: family, admin: true, ids: 'other' },
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

const reader = { pages: ['student/student-list', 'student/student-list/$studentID'] };

export const work: Work = {
  office: { ...reader, isChanging: true },
  principal: reader,
  accountant: reader,
  transportIncharge: reader,
  nurse: reader,
  counsellor: reader,
  classTeacher: reader,
  subjectTeacher: reader,
};
