import { masterRows, type Row, type Rows, type Work } from '#testing/callers.ts';
import { feeMasters } from './contract/masters.ts';

const readers: Row = { staff: ['accountant', 'financeApprover', 'office', 'principal'] };
const writers: Row = { staff: ['accountant'] };
const reading = /^GET /;
const changing = /template|import$|POST/;

const ofMasters = Object.fromEntries(
  Object.entries(masterRows(feeMasters, {})).map(([operation, row]) => [
    operation,
    { ...row, ...(reading.test(operation) && !changing.test(operation) ? readers : writers) },
  ]),
);

export const rows: Rows = {
  ...ofMasters,
  'POST /fee/head/view': readers,
  'DELETE /fee/head/view/:id': { ...readers, ids: 'other' },
  'POST /fee/receipt-series/view': readers,
  'DELETE /fee/receipt-series/view/:id': { ...readers, ids: 'other' },
  'POST /fee/bank-account/view': readers,
  'DELETE /fee/bank-account/view/:id': { ...readers, ids: 'other' },
  'GET /fee/frequency': readers,
  'GET /fee/frequency/option': readers,
  'GET /fee/frequency/day-off': readers,
  'GET /fee/frequency/:id/history': { ...readers, ids: 'other' },
  'POST /fee/frequency': writers,
  'PUT /fee/frequency/:id': { ...writers, ids: 'other' },
  'DELETE /fee/frequency/:id': { ...writers, ids: 'other' },
  'GET /fee/concession': readers,
  'GET /fee/concession/count': readers,
  'GET /fee/concession/export': readers,
  'GET /fee/concession/view': readers,
  'POST /fee/concession/view': readers,
  'DELETE /fee/concession/view/:id': { ...readers, ids: 'other' },
  'GET /fee/concession/student': { staff: ['accountant', 'financeApprover', 'principal'] },
  'GET /fee/concession/:id/history': { ...readers, ids: 'other' },
  'POST /fee/concession': writers,
  'POST /fee/concession/:id/end': { ...writers, ids: 'other' },
  'POST /fee/concession/grant': writers,
  'GET /fee/discount/option': readers,
  'GET /fee/discount': readers,
  'GET /fee/discount/:id/history': { ...readers, ids: 'other' },
  'POST /fee/discount': writers,
  'POST /fee/discount/try': { staff: ['accountant', 'financeApprover', 'principal'] },
  'PUT /fee/discount/:id': { ...writers, ids: 'other' },
  'DELETE /fee/discount/:id': { ...writers, ids: 'other' },
  'GET /fee/structure': readers,
  'GET /fee/structure/count': readers,
  'GET /fee/structure/export': { ...readers, isNameless: true },
  'GET /fee/structure/view': readers,
  'POST /fee/structure/view': readers,
  'DELETE /fee/structure/view/:id': { ...readers, ids: 'other' },
  'GET /fee/structure/grid': readers,
  'POST /fee/structure/grid': writers,
  'GET /fee/structure/:id': { ...readers, ids: 'other' },
  'GET /fee/structure/:id/history': { ...readers, ids: 'other' },
  'POST /fee/structure': writers,
  'POST /fee/structure/copy': writers,
  'POST /fee/structure/publish-many': { staff: ['accountant', 'financeApprover', 'principal'] },
  'PUT /fee/structure/:id': { ...writers, ids: 'other' },
  'DELETE /fee/structure/:id': { ...writers, ids: 'other' },
  'POST /fee/structure/:id/version': { ...writers, ids: 'other' },
  'POST /fee/structure/:id/publish': { staff: ['accountant', 'financeApprover', 'principal'], ids: 'other' },
  'GET /fee/plan': readers,
  'GET /fee/plan/count': readers,
  'GET /fee/plan/export': readers,
  'GET /fee/plan/view': readers,
  'POST /fee/plan/view': readers,
  'DELETE /fee/plan/view/:id': { ...readers, ids: 'other' },
  'GET /fee/plan/:id': { ...readers, ids: 'other' },
  'POST /fee/allocation': writers,
  'POST /fee/reprice': writers,
  'POST /fee/plan/:id/option': { ...writers, ids: 'other' },
  'POST /fee/plan/:id/due-day': { ...writers, ids: 'other' },
  'POST /fee/plan/:id/withdraw': { ...writers, ids: 'other' },
  'GET /fee/run': readers,
  'GET /fee/proposal': readers,
  'GET /fee/fine-rule': readers,
  'GET /fee/fine-rule/option': readers,
  'GET /fee/fine-rule/:id/history': { ...readers, ids: 'other' },
  'POST /fee/fine-rule': writers,
  'PUT /fee/fine-rule/:id': { ...writers, ids: 'other' },
  'POST /fee/fine-rule/:id/terms': { ...writers, ids: 'other' },
  'POST /fee/fine-rule/:id/terms/remove': { ...writers, ids: 'other' },
  'DELETE /fee/fine-rule/:id': { ...writers, ids: 'other' },
};

const pages = [
  'fee/frequency-of-payment',
  'fee/fee-master',
  'fee/fee-discount-master',
  'fee/fee-structure-allocation',
  'fee/fee-structure-allocation/$structureID',
  'fee/fee-structure-allocation/plan/$studentID',
];

export const work: Work = {
  accountant: { pages, isChanging: true },
  financeApprover: { pages },
  office: { pages },
  principal: { pages },
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = [
  'GET /fee/frequency/:id/history',
  'GET /fee/fine-rule/:id/history',
  'GET /fee/discount/:id/history',
  'GET /fee/concession/:id/history',
  'GET /fee/structure/:id',
  'GET /fee/structure/:id/history',
];
