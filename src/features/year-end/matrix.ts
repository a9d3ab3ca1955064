import { familyHolder, onlyAdmin, type Row, type Rows, type Work } from '#testing/callers.ts';

const readers: Row = { staff: ['office', 'principal', 'accountant'], admin: true };
const askers: Row = { staff: ['office', 'principal'], admin: true };

export const rows: Rows = {
  'GET /year-end': readers,
  'GET /year-end/closed': readers,
  'POST /year-end/:id/close': onlyAdmin,
  'POST /year-end/:id/reopen': onlyAdmin,
  'GET /year-end/leaving-reason': askers,
  'GET /year-end/question': askers,
  'PUT /year-end/question': {
    ...askers,
    example: {
      yearId: 1,
      words: 'Will your child return?',
      opensOn: '2027-03-01',
      closesOn: '2027-04-30',
      remindDays: 3,
      gradeIds: [1],
    },
  },
  'POST /year-end/question/ask': askers,
  'POST /year-end/question/remind': askers,
  'GET /year-end/answer': askers,
  'GET /year-end/answer/count': askers,
  'GET /year-end/answer/export': askers,
  'GET /year-end/answer/view': askers,
  'POST /year-end/answer/view': askers,
  'DELETE /year-end/answer/view/:id': { ...askers, ids: 'other' },
  'POST /year-end/student/:id/answer': { ...askers, ids: 'other' },
  'POST /family/staying': familyHolder,
};

/** Its id is of a year. */
export const opensNothing = ['POST /year-end/:id/close'];

const pages = ['academic/year-end'];

export const work: Work = {
  office: { pages, isChanging: true },
  principal: { pages, isChanging: true },
  accountant: { pages },
};
