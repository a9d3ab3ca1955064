import type { Row, Rows } from '#testing/callers.ts';

const everyone: Row = { staff: 'all' };

export const rows: Rows = {
  'GET /approval': everyone,
  'GET /approval/count': everyone,
  'GET /approval/export': everyone,
  'GET /approval/view': everyone,
  'POST /approval/view': everyone,
  'DELETE /approval/view/:id': { ...everyone, ids: 'other' },
  'GET /approval/:id': { ...everyone, ids: 'other' },
  'POST /approval/:id/decide': { ...everyone, ids: 'other' },
  'POST /approval/:id/withdraw': { ...everyone, ids: 'other' },
  'POST /approval/decide-many': { ...everyone, example: { selection: { ids: [1] }, outcome: 'Approved', remark: '' } },
};
