import { masterRows, type Row, type Rows, signedIn } from '#testing/callers.ts';
import { cannedReplyMaster, categoryMaster, holdReasonMaster, ticketMasters } from './contract/masters.ts';

const admin: Row = { admin: true };
const everyStaff: Row = { staff: 'all' };
const one: Row = { ...everyStaff, ids: 'other' };

/** What every list of records has. */
const ofList = (path: string): Rows => ({
  [`GET ${path}`]: everyStaff,
  [`GET ${path}/count`]: everyStaff,
  [`GET ${path}/export`]: everyStaff,
  [`GET ${path}/view`]: everyStaff,
  [`POST ${path}/view`]: everyStaff,
  [`DELETE ${path}/view/:id`]: one,
});

export const rows: Rows = {
  ...masterRows(ticketMasters, admin),
  // Everybody who raises or works on a ticket chooses from these.
  [`GET ${categoryMaster.path}/option`]: signedIn,
  [`GET ${holdReasonMaster.path}/option`]: signedIn,
  [`GET ${cannedReplyMaster.path}/option`]: admin,
  'GET /ticket/policy/option': admin,
  'GET /ticket/policy': admin,
  'POST /ticket/policy': admin,
  'GET /ticket/hours': admin,
  'POST /ticket/hours': admin,
  'GET /ticket/escalation': admin,
  'POST /ticket/escalation': admin,
  'POST /ticket/usual': admin,
  'POST /ticket/policy/:id/apply': { ...admin, ids: 'other' },
  'GET /ticket/hours/week': admin,
  'GET /ticket/hours/try': { ...admin, example: { start: '2026-07-03T14:00', priority: 'High', policyId: 1 } },
  'POST /ticket/category/:id/replace': { ...admin, ids: 'other' },
  ...ofList('/ticket/by-me'),
  ...ofList('/ticket/to-me'),
  'POST /ticket/accept-many': everyStaff,
  'POST /ticket/transfer-many': { ...everyStaff, example: { staffId: 1, departmentId: null } },
  'POST /ticket/priority-many': everyStaff,
  'POST /ticket/remind-many': everyStaff,
  'GET /ticket/student': everyStaff,
  'GET /ticket/room': everyStaff,
  'GET /ticket/department': everyStaff,
  'GET /ticket/reply': everyStaff,
  'GET /ticket/estimate': everyStaff,
  'GET /ticket/similar': everyStaff,
  'POST /ticket': everyStaff,
  'GET /ticket/:id/record': one,
  'GET /ticket/:id/history': one,
  'GET /ticket/:id/file/:file': one,
  'POST /ticket/:id/comment': { ...one, example: { kind: 'Public', body: 'The lamp is ordered.' } },
  'POST /ticket/:id/accept': one,
  'POST /ticket/:id/undo': one,
  'POST /ticket/:id/hold': one,
  'POST /ticket/:id/resume': one,
  'POST /ticket/:id/resolve': one,
  'GET /ticket/:id/due': { ...one, example: { priority: 'High' } },
  'POST /ticket/:id/priority': one,
  'POST /ticket/:id/transfer': { ...one, example: { staffId: 1, departmentId: null } },
  'POST /ticket/:id/confirm': one,
  'POST /ticket/:id/reopen': one,
  'POST /ticket/:id/cancel': one,
  'POST /ticket/:id/confidential': one,
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = ['GET /ticket/:id/history', 'GET /ticket/:id/due'];
