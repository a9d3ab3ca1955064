import { masterRows, onlyAdmin, type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';
import { observationMasters } from './contract/masters.ts';

const readers: Row = { staff: ['classTeacher', 'subjectTeacher', 'principal', 'counsellor'] };
const observers: Row = { staff: ['principal', 'headOfDepartment'], admin: true };
const keepers: Row = { staff: ['principal', 'counsellor'] };

export const rows: Rows = {
  ...masterRows(observationMasters, onlyAdmin),
  'GET /observation/rubric/:id/version': { ...onlyAdmin, ids: 'other' },
  'PUT /observation/rubric/:id/draft': { ...onlyAdmin, ids: 'other', example: { version: 0, scaleId: 1, domains: [] } },
  'POST /observation/rubric/:id/publish': { ...onlyAdmin, ids: 'other' },
  'POST /observation/rubric/:id/retire': { ...onlyAdmin, ids: 'other' },
  'POST /observation/usual': onlyAdmin,
  'GET /observation-note': readers,
  'GET /observation-note/count': readers,
  'GET /observation-note/export': readers,
  'GET /observation-note/view': readers,
  'POST /observation-note/view': readers,
  'DELETE /observation-note/view/:id': { ...readers, ids: 'other' },
  'GET /observation-note/student-option': readers,
  'GET /observation-note/type-option': readers,
  'GET /observation-note/subject-option': readers,
  'GET /observation-note/offer': readers,
  'GET /observation-note/reader': { ...readers, example: { students: '1', reach: 'Restricted' } },
  'GET /observation-note/skill': { ...readers, example: { students: '1' } },
  'POST /observation-note': readers,
  'GET /observation-note/draft': readers,
  'POST /observation-note/draft': readers,
  'GET /observation-note/draft/:id': { ...readers, ids: 'other' },
  'DELETE /observation-note/draft/:id': { ...readers, ids: 'other' },
  'GET /observation-note/:id': { ...readers, ids: 'other' },
  'PUT /observation-note/:id': { ...readers, ids: 'other' },
  'GET /observation-note/tag-option': readers,
  'GET /observation-note/:id/attached': { ...readers, ids: 'other' },
  'POST /observation-note/:id/file': { ...readers, ids: 'other' },
  'GET /observation-note/:id/file/:file': { ...readers, ids: 'other' },
  'PUT /observation-note/:id/tag': { ...readers, ids: 'other' },
  'GET /observation-note/:id/history': { ...readers, ids: 'other' },
  'POST /observation-note/:id/reveal': { ...keepers, ids: 'other' },
  'POST /observation-note/:id/addendum': { ...readers, ids: 'other' },
  'POST /observation-note/:id/withdraw': { ...readers, ids: 'other' },
  'POST /observation-note/:id/reach': { ...readers, ids: 'other' },
  'POST /observation-note/:id/follow-up': { ...readers, ids: 'other' },
  'PUT /observation-note/follow-up/:id': { ...readers, ids: 'other' },
  'GET /observation-visit': observers,
  'GET /observation-visit/count': observers,
  'GET /observation-visit/export': observers,
  'GET /observation-visit/view': observers,
  'POST /observation-visit/view': observers,
  'DELETE /observation-visit/view/:id': { ...observers, ids: 'other' },
  'GET /observation-visit/offer': observers,
  'GET /observation-visit/coverage': observers,
  'GET /observation-visit/own': signedIn,
  'POST /observation-visit': observers,
  'GET /observation-visit/:id': { ...signedIn, ids: 'other' },
  'GET /observation-visit/:id/paper': { ...signedIn, ids: 'other' },
  'GET /observation-visit/:id/history': { ...observers, ids: 'other' },
  'PUT /observation-visit/:id': { ...observers, ids: 'other' },
  'PUT /observation-visit/:id/rating': { ...observers, ids: 'other' },
  'POST /observation-visit/:id/acknowledge': { ...signedIn, ids: 'other' },
  ...Object.fromEntries(
    ['start', 'evidence', 'finish', 'share', 'cancel', 'close', 'reopen', 'observer'].map((word) => [
      `POST /observation-visit/:id/${word}`,
      { ...observers, ids: 'other' },
    ]),
  ),
};

const pages = ['student-observation/student-observation-list', 'student-observation/student-observation-list/$noteID'];

const visits = 'staff-observation/staff-observation-list';

export const work: Work = {
  classTeacher: { pages, isChanging: true },
  subjectTeacher: { pages, isChanging: true },
  principal: { pages: [...pages, visits], isChanging: true },
  headOfDepartment: { pages: [visits], isChanging: true },
  counsellor: { pages, isChanging: true },
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /observation-note/draft/:id', 'GET /observation/rubric/:id/version'];
