import { masterRows, type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';
import { leaveTypeMaster, workdayMasters } from './contract/masters.ts';

const everyStaff: Row = { staff: 'all' };
const one: Row = { ...everyStaff, ids: 'other' };
const leaveReaders: Row = { staff: ['hr', 'principal'] };

/** Days in an order that the rules of leave accept. */
const span = {
  typeId: 1,
  fromDay: '2026-12-03',
  begins: 'In the morning',
  toDay: '2026-12-03',
  ends: 'In the evening',
};

export const rows: Rows = {
  ...masterRows(workdayMasters, { staff: ['hr'], admin: true }),
  // Staff choose a type for their own leave.
  [`GET ${leaveTypeMaster.path}/option`]: signedIn,
  'POST /workday/usual': { staff: ['hr'], admin: true },
  'GET /workday/leave': leaveReaders,
  'GET /workday/leave/count': leaveReaders,
  'GET /workday/leave/export': leaveReaders,
  'GET /workday/leave/view': leaveReaders,
  'POST /workday/leave/view': leaveReaders,
  'DELETE /workday/leave/view/:id': { ...leaveReaders, ids: 'other' },
  'GET /workday/person/:id': one,
  'GET /workday/own': everyStaff,
  'GET /workday/leave/estimate': { ...everyStaff, example: span },
  'POST /workday/leave': { ...everyStaff, example: span },
  'POST /workday/leave/enter': { staff: ['hr'], example: { ...span, staffId: 1 } },
  'POST /workday/leave/:id/cancel': one,
  'POST /workday/leave/:id/back': one,
  'POST /workday/leave/:id/paper': one,
  'GET /workday/leave/:id/paper': { ...one, isNameless: true },
  'POST /workday/credit': { staff: ['hr'] },
  'GET /workday/day': { staff: ['office', 'principal', 'hr', 'transportIncharge'] },
  'GET /workday/month': leaveReaders,
  'GET /workday/month/file': leaveReaders,
  'POST /workday/month/close': leaveReaders,
  'POST /workday/month/reopen': leaveReaders,
  'GET /workday/month/kept/:id': { ...leaveReaders, ids: 'other' },
  'POST /workday/presence': { staff: ['office', 'principal', 'hr'] },
};

export const work: Work = { hr: { pages: ['hris/hris-master'], isChanging: true } };

/** Operations whose ids are of no person’s record, so that no opening is counted. */
export const opensNothing = ['GET /workday/leave/:id/paper'];
