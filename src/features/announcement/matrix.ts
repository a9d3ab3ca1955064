import { familyHolder, provenHolder, type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';

const writers: Row = { staff: ['office', 'principal', 'classTeacher'] };
const written: Row = { ...writers, ids: 'other' };
const readable: Row = { ...signedIn, ids: 'other' };

const audience = [{ kind: 'Everyone', id: null, isExcluded: false, hasTeachers: false }];
const draft = {
  title: 'School is closed on Monday',
  body: [{ kind: 'paragraph', level: 0, runs: [{ text: 'Classes begin again on Tuesday.' }] }],
  priority: 'Normal',
  audience,
  asks: 'Nothing',
  acknowledgeBy: '',
};

export const rows: Rows = {
  'GET /announcement': writers,
  'GET /announcement/count': writers,
  'GET /announcement/export': { ...writers, isNameless: true },
  'GET /announcement/view': writers,
  'POST /announcement/view': writers,
  'DELETE /announcement/view/:id': written,
  'GET /announcement/feed': signedIn,
  'GET /announcement/audience': writers,
  'GET /announcement/staff': { staff: ['office', 'principal'] },
  'GET /announcement/category': writers,
  'GET /announcement/tag-option': writers,
  'POST /announcement/count': { ...writers, example: { audience } },
  'GET /announcement/:id': readable,
  'GET /announcement/:id/preview': written,
  'GET /announcement/guardian': { staff: ['office', 'principal', 'classTeacher'] },
  'POST /announcement/:id/test': { ...written, example: { language: 'en' } },
  'GET /announcement/:id/file/:file': {
    ...readable,
    isNameless: true,
    example: { file: '00000000-0000-4000-8000-000000000000' },
  },
  'POST /announcement/:id/seen': readable,
  'POST /announcement/:id/acknowledge': readable,
  'POST /announcement': { ...writers, example: draft },
  'PUT /announcement/:id': { ...written, example: draft },
  'POST /announcement/:id/new-version': { ...written, example: draft },
  'DELETE /announcement/:id': written,
  'POST /announcement/:id/file': written,
  'DELETE /announcement/:id/file/:file': { ...written, example: { file: '00000000-0000-4000-8000-000000000000' } },
  'POST /announcement/:id/publish': written,
  'POST /announcement/:id/undo': written,
  'POST /announcement/:id/withdraw': written,
  'POST /announcement/:id/copy': written,
  'POST /announcement/:id/remind': written,
  'POST /announcement/:id/audience': { ...written, example: { audience } },
  'POST /announcement/withdraw-many': { staff: ['office', 'principal'] },
  'POST /announcement/remind-many': { staff: ['office', 'principal'] },
  'GET /announcement/:id/receipt': written,
  'GET /announcement/:id/answer': written,
  'GET /announcement/:id/answer/export': { ...written, example: { as: 'csv' } },
  'POST /announcement/:id/answer': { ...written, example: { number: 1, studentId: 1, answer: 'Yes' } },
  'POST /family/notice/:id/answer': { ...provenHolder, example: { number: 1, studentId: 1, answer: 'Yes' } },
  'POST /family/notice/:id/seen': familyHolder,
  'POST /family/notice/:id/acknowledge': familyHolder,
  'GET /family/notice/:id/file/:file': {
    ...familyHolder,
    isNameless: true,
    example: { file: '00000000-0000-4000-8000-000000000000' },
  },
  'GET /announcement/:id/receipt/export': { ...written, example: { as: 'csv' } },
};

// Everyone opens the page.
const writer = { pages: [], isChanging: true } as const;

export const work: Work = {
  office: writer,
  principal: writer,
  classTeacher: writer,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = [
  'GET /announcement/:id/receipt',
  'GET /announcement/:id/receipt/export',
  'GET /announcement/:id/answer',
  'GET /announcement/:id/answer/export',
  'GET /announcement/:id',
  'GET /announcement/:id/preview',
  'POST /announcement/:id/test',
  'GET /announcement/:id/file/:file',
  'POST /announcement/:id/file',
  'POST /announcement/:id/publish',
  'POST /announcement/:id/new-version',
  'POST /announcement/:id/audience',
];
