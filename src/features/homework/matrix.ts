import { familyHolder, type Row, type Rows, type Work } from '#testing/callers.ts';

const readers: Row = { staff: ['classTeacher', 'subjectTeacher', 'office', 'principal'] };
const givers: Row = { staff: ['classTeacher', 'subjectTeacher'] };
const closers: Row = { staff: ['classTeacher', 'subjectTeacher', 'principal'] };

export const rows: Rows = {
  'GET /homework': readers,
  'GET /homework/count': readers,
  'GET /homework/export': { ...readers, isNameless: true },
  'GET /homework/view': readers,
  'POST /homework/view': readers,
  'DELETE /homework/view/:id': { ...readers, ids: 'other' },
  'GET /homework/missing': readers,
  'GET /homework/missing/count': readers,
  'GET /homework/missing/export': readers,
  'GET /homework/missing/view': readers,
  'POST /homework/missing/view': readers,
  'DELETE /homework/missing/view/:id': { ...readers, ids: 'other' },
  'GET /homework/missing/:id/child': { ...readers, ids: 'student' },
  'GET /homework/earlier': givers,
  'GET /homework/earlier/:id': { ...givers, ids: 'other' },
  'GET /homework/subject-option': readers,
  'GET /homework/teacher-option': readers,
  'GET /homework/tag-option': readers,
  'GET /homework/given': givers,
  'GET /homework/student': { ...givers, example: { sectionId: 1, subjectId: 1 } },
  'GET /homework/load': { ...givers, example: { sectionIds: '1', subjectId: 1, dueOn: '2026-07-10', kind: 'Written' } },
  'GET /homework/:id': { ...readers, ids: 'other' },
  'GET /homework/:id/history': { ...readers, ids: 'other' },
  'GET /homework/diary': {
    ...readers,
    isNameless: true,
    example: { sectionId: 1, from: '2026-07-06', to: '2026-07-11' },
  },
  'POST /homework/import': closers,
  'POST /homework/import/open': closers,
  'GET /homework/import/template': closers,
  'POST /homework/import/errors': closers,
  'GET /homework/import': closers,
  'POST /homework/import/undo': closers,
  'POST /homework/close-many': closers,
  'POST /homework/close-year': closers,
  'POST /homework/publish-many': givers,
  'POST /homework': givers,
  'PUT /homework/:id': { ...givers, ids: 'other' },
  'POST /homework/:id/publish': { ...givers, ids: 'other' },
  'POST /homework/:id/due': { ...givers, ids: 'other' },
  'POST /homework/:id/remind': { ...givers, ids: 'other' },
  'POST /homework/:id/section': { ...givers, ids: 'other' },
  'POST /homework/:id/cancel': { ...givers, ids: 'other' },
  'POST /homework/:id/close': { ...closers, ids: 'other' },
  'POST /homework/:id/reopen': { ...closers, ids: 'other' },
  'DELETE /homework/:id': { ...givers, ids: 'other' },
  'POST /homework/:id/file': { ...givers, ids: 'other' },
  'DELETE /homework/:id/file/:file': { ...givers, ids: 'other' },
  'GET /homework/:id/file/:file': { ...readers, ids: 'other' },
  'GET /family/homework/:id/file/:file': familyHolder,
  'PUT /homework/:id/check': { ...givers, ids: 'other' },
  'PUT /homework/:id/extension/:studentId': { ...givers, ids: 'other' },
  'DELETE /homework/:id/extension/:studentId': { ...givers, ids: 'other' },
};

const pages = [
  'homework/homework-list',
  'homework/homework-list/$homeworkID',
  'homework/homework-list/missing/$studentID',
] as const;

export const work: Work = {
  classTeacher: { pages, isChanging: true },
  subjectTeacher: { pages, isChanging: true },
  office: { pages },
  principal: { pages },
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = [
  'GET /homework/earlier/:id',
  'GET /homework/:id',
  'GET /homework/:id/history',
  'GET /homework/:id/file/:file',
  'POST /homework/:id/file',
];
