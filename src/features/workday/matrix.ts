import { masterRows, type Row, type Rows, signedIn, type Work } from '#testing/callers.ts';
import { leaveTypeMaster, workdayMasters } from './contract/masters.ts';

const everyStaff: Row = { staff: 'all' };
const one: Row = { ...everyStaff, ids: 'other' };
const keepers: Row = { staff: ['hr'] };
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
  'GET /workday/usual': { staff: ['hr', 'principal'], admin: true },
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
  'POST /workday/person-shift': { staff: ['hr'] },
  'GET /workday/day': { staff: ['office', 'principal', 'hr', 'transportIncharge'] },
  'GET /workday/away': { staff: ['office', 'principal', 'hr'] },
  'GET /workday/month': leaveReaders,
  'GET /workday/month/file': leaveReaders,
  'POST /workday/month/close': leaveReaders,
  'POST /workday/month/reopen': leaveReaders,
  'GET /workday/month/kept/:id': { ...leaveReaders, ids: 'other' },
  'POST /workday/carry': keepers,
  'POST /workday/opening': keepers,
  'GET /workday/opening': keepers,
  'GET /workday/opening/template': { ...keepers, isNameless: true },
  'POST /workday/opening/errors': { ...keepers, isNameless: true },
  'POST /workday/opening/open': keepers,
  'POST /workday/opening/undo': keepers,
  'POST /workday/punch': keepers,
  'GET /workday/punch': keepers,
  'GET /workday/punch/template': { ...keepers, isNameless: true },
  'POST /workday/punch/errors': { ...keepers, isNameless: true },
  'POST /workday/punch/open': keepers,
  'POST /workday/punch/undo': keepers,
  'POST /workday/presence': { staff: ['office', 'principal', 'hr'] },
};

export const work: Work = {
  hr: { pages: ['hris/hris-master'], isChanging: true },
  principal: { pages: ['hris/hris-master'] },
};

/** Operations whose ids are of no person’s record, so that no opening is counted. */
export const opensNothing = ['GET /workday/leave/:id/paper', 'GET /workday/month/kept/:id'];
