import type { Row, Rows } from '#testing/callers.ts';

const keepers: Row = { staff: ['office', 'admissionHead'] };
const readers: Row = { staff: ['office', 'admissionHead', 'principal'] };

export const rows: Rows = {
  'GET /inquiry': readers,
  'GET /inquiry/count': readers,
  'GET /inquiry/export': readers,
  'GET /inquiry/view': readers,
  'POST /inquiry/view': readers,
  'DELETE /inquiry/view/:id': { ...readers, ids: 'other' },
  'GET /inquiry/lead-source': readers,
  'GET /inquiry/check': keepers,
  'POST /inquiry': keepers,
  'POST /inquiry/assign': keepers,
  'GET /inquiry/:id/record': { ...readers, ids: 'other' },
  'PUT /inquiry/:id': { ...keepers, ids: 'other' },
  'GET /inquiry/:id/history': { ...readers, ids: 'other' },
  'POST /inquiry/:id/follow-up': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/send': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/link': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/revoke': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/lose': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/reopen': { staff: ['admissionHead'], ids: 'other' },
};
