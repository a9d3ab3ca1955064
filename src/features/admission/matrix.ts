import type { Row, Rows } from '#testing/callers.ts';

const keepers: Row = { staff: ['office', 'admissionHead'] };
const readers: Row = { staff: ['office', 'admissionHead', 'principal'] };

export const rows: Rows = {
  'GET /inquiry': readers,
  'GET /inquiry/count': readers,
  'GET /inquiry/export': readers,
  'GET /inquiry/view': readers,
  'POST /inquiry/view': readers,
  'DELETE /inquiry/view/:id': readers,
  'GET /inquiry/lead-source': readers,
  'GET /inquiry/check': keepers,
  'POST /inquiry': keepers,
  'POST /inquiry/assign': keepers,
  'GET /inquiry/:id/record': readers,
  'PUT /inquiry/:id': keepers,
  'GET /inquiry/:id/history': readers,
  'POST /inquiry/:id/follow-up': keepers,
  'POST /inquiry/:id/send': keepers,
  'POST /inquiry/:id/link': keepers,
  'POST /inquiry/:id/revoke': keepers,
  'POST /inquiry/:id/lose': keepers,
  'POST /inquiry/:id/reopen': { staff: ['admissionHead'] },
};
