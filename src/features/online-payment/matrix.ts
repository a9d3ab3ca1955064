import { familyHolder, provenHolder, type Row, type Rows } from '#testing/callers.ts';

const readers: Row = { staff: ['accountant', 'financeApprover', 'principal', 'office'] };
const writers: Row = { staff: ['accountant'] };

export const rows: Rows = {
  'POST /family/payment': familyHolder,
  'GET /family/receipt/:id/file': { ...provenHolder, ids: 'other' },
  'GET /family/paper/:id': { ...provenHolder, ids: 'other' },
  'GET /family/statement/:id/file': { ...provenHolder, ids: 'other', example: { yearId: 1 } },
  'POST /family/certificate': provenHolder,
  'GET /family/certificate/:id/file': { ...provenHolder, ids: 'other' },
  'GET /online/home-payment': readers,
  'GET /online/home-payment/count': readers,
  'GET /online/home-payment/export': readers,
  'GET /online/home-payment/view': readers,
  'POST /online/home-payment/view': readers,
  'DELETE /online/home-payment/view/:id': { ...readers, ids: 'other' },
  'GET /online/home-payment/:id': { ...writers, ids: 'other' },
  'POST /online/home-payment/:id/take': { ...writers, ids: 'other' },
  'POST /online/home-payment/:id/series': { ...writers, ids: 'other' },
  'POST /online/home-payment/:id/not-found': { ...writers, ids: 'other' },
  'POST /online/home-payment/:id/look-again': { ...writers, ids: 'other' },
};
