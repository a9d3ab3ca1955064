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
  'GET /approval/of-year': { ...everyone, example: { yearId: 1 } },
  'POST /approval/return-of-year': {
    ...everyone,
    example: { yearId: 1, kind: 'attendance.leave', remark: 'The year is closed' },
  },
  'POST /approval/decide-many': { ...everyone, example: { selection: { ids: [1] }, outcome: 'Approved', remark: '' } },
};
