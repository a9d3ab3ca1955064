import { masterRows, type Row, type Rows, type Work } from '#testing/callers.ts';
import {
  crewMaster,
  slabMaster,
  slabPriceMaster,
  stopMaster,
  timeSlotMaster,
  transportMasters,
  vehicleMaster,
} from './contract/masters.ts';

const keepers: Row = { staff: ['transportIncharge'] };
const readers: Row = { staff: ['transportIncharge', 'principal'] };
const dayReaders: Row = { staff: ['transportIncharge', 'principal', 'office'] };
const riderReaders: Row = { staff: ['transportIncharge', 'principal', 'office', 'accountant', 'hr'] };
const studentReaders: Row = { staff: ['transportIncharge', 'principal', 'office', 'accountant'] };
const changing = /^(POST|PUT|DELETE) |template|import$/;
const views = /\/view(\/:id)?$/;

const ofMasters = Object.fromEntries(
  Object.entries(masterRows(transportMasters, {})).map(([operation, row]) => [
    operation,
    { ...row, ...(changing.test(operation) && !views.test(operation) ? keepers : readers) },
  ]),
);
const chosenByOthers = [slabMaster, slabPriceMaster, stopMaster, timeSlotMaster, vehicleMaster, crewMaster];

function ofChanges(word: string, askers: NonNullable<Exclude<Row['staff'], 'all'>>): Rows {
  const path = `/transport/${word}-stop-change`;
  const read: Row = { staff: [...askers, 'principal'] };
  return {
    [`GET ${path}`]: read,
    [`GET ${path}/count`]: read,
    [`GET ${path}/export`]: read,
    [`GET ${path}/view`]: read,
    [`POST ${path}/view`]: read,
    [`DELETE ${path}/view/:id`]: { ...read, ids: 'other' },
    [`POST ${path}`]: { staff: askers },
    [`POST ${path}/:id/cancel`]: { staff: askers, ids: 'other' },
  };
}

export const rows: Rows = {
  ...ofMasters,
  ...Object.fromEntries(chosenByOthers.map(({ path }) => [`GET ${path}/option`, riderReaders])),
  'GET /transport/rider': readers,
  'GET /transport/rider/count': readers,
  'GET /transport/rider/export': readers,
  'GET /transport/rider/view': readers,
  'POST /transport/rider/view': readers,
  'DELETE /transport/rider/view/:id': { ...readers, ids: 'other' },
  'GET /transport/paper': readers,
  'GET /transport/paper/count': readers,
  'GET /transport/paper/export': readers,
  'GET /transport/paper/view': readers,
  'POST /transport/paper/view': readers,
  'DELETE /transport/paper/view/:id': { ...readers, ids: 'other' },
  'GET /transport/wait': dayReaders,
  'GET /transport/wait/count': dayReaders,
  'GET /transport/wait/export': dayReaders,
  'GET /transport/wait/view': dayReaders,
  'POST /transport/wait/view': dayReaders,
  'DELETE /transport/wait/view/:id': { ...dayReaders, ids: 'other' },
  'POST /transport/wait': { staff: ['transportIncharge', 'office'] },
  'POST /transport/wait/:id/give': { ...keepers, ids: 'other' },
  'POST /transport/wait/:id/withdraw': { staff: ['transportIncharge', 'office'], ids: 'other' },
  'GET /transport/rider/ride': { staff: ['transportIncharge', 'office', 'hr', 'principal'] },
  'POST /transport/rider/assign': keepers,
  'POST /transport/rider/end': keepers,
  'POST /transport/stop/:id/move': { ...keepers, ids: 'other' },
  'GET /transport/free-seat': riderReaders,
  'GET /transport/wish': readers,
  'GET /transport/student/option': studentReaders,
  'GET /transport/trip/:id/manifest': { ...dayReaders, ids: 'other', example: { day: '2026-06-15' } },
  'GET /transport/manifest': { ...dayReaders, example: { day: '2026-06-15', direction: 'Pickup' } },
  'GET /transport/summary': readers,
  'POST /transport/vehicle/:id/move': { ...keepers, ids: 'other' },
  'POST /transport/vehicle/:id/papers': { ...keepers, ids: 'other' },
  'GET /transport/slab-price/waiting': readers,
  'POST /transport/slab/copy': keepers,
  'POST /transport/time-slot/usual': keepers,
  'GET /transport/driver/option': riderReaders,
  'GET /transport/attendant/option': riderReaders,
  'GET /transport/vehicle-document/:id/paper': { ...readers, ids: 'other' },
  'POST /transport/vehicle-document/:id/paper': { ...keepers, ids: 'other' },
  'GET /transport/vehicle-document/:id/paper/file': { ...readers, ids: 'other', isNameless: true },
  'GET /transport/charge': keepers,
  'POST /transport/charge': keepers,
  'POST /transport/next-year': keepers,
  ...ofChanges('student', ['transportIncharge', 'office']),
  ...ofChanges('staff', ['transportIncharge', 'hr']),
  'GET /transport/route': readers,
  'GET /transport/route/count': readers,
  'GET /transport/route/export': { ...readers, isNameless: true },
  'GET /transport/route/view': readers,
  'POST /transport/route/view': readers,
  'DELETE /transport/route/view/:id': { ...readers, ids: 'other' },
  'GET /transport/route/:id': { ...readers, ids: 'other' },
  'GET /transport/route/:id/history': { ...readers, ids: 'other' },
  'POST /transport/route': keepers,
  'PUT /transport/route/:id': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/plan': {
    ...keepers,
    ids: 'other',
    example: {
      stops: [
        { stopId: 1, offsetMin: 0 },
        { stopId: 2, offsetMin: 5 },
      ],
    },
  },
  'POST /transport/route/:id/reverse': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/duty': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/trip/:tripId/end': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/vehicle': { ...keepers, ids: 'other' },
  'GET /transport/today': dayReaders,
  'GET /transport/trip/:id/rider': { ...dayReaders, ids: 'other', example: { day: '2026-06-15' } },
  'GET /transport/trip/:id/history': { ...dayReaders, ids: 'other' },
  'GET /transport/trip/:id/free': {
    ...keepers,
    ids: 'other',
    example: { role: 'Driver', from: '2026-07-06', to: '2026-07-06' },
  },
  'GET /transport/trip/:id/elsewhere': { ...keepers, ids: 'other', example: { from: '2026-07-06', to: '2026-07-06' } },
  'POST /transport/trip/:id/day-ride': { ...keepers, ids: 'other' },
  'POST /transport/stand-in': keepers,
  'POST /transport/stand-in/:act/undo': { ...keepers, ids: 'other' },
};

const pages = [
  'transport/',
  'transport/today',
  'transport/time-slot',
  'transport/vehicle',
  'transport/route',
  'transport/route/$routeID',
  'transport/paper',
  'transport/wait',
];

const changes = { student: 'transport/student-stop-change', staff: 'transport/staff-stop-change' };

export const work: Work = {
  transportIncharge: { pages: [...pages, changes.student, changes.staff], isChanging: true },
  principal: { pages: [...pages, changes.student, changes.staff] },
  office: { pages: ['transport/today', 'transport/wait', changes.student] },
  hr: { pages: [changes.staff] },
};

/** Operations whose ids are of no person's record, so that no opening is counted. */
export const opensNothing = [
  'GET /transport/route/:id',
  'GET /transport/route/:id/history',
  'GET /transport/trip/:id/manifest',
  'GET /transport/trip/:id/rider',
  'GET /transport/trip/:id/history',
  'POST /transport/trip/:id/day-ride',
  'POST /transport/stop/:id/move',
  'POST /transport/wait/:id/give',
  'POST /transport/student-stop-change/:id/cancel',
  'POST /transport/staff-stop-change/:id/cancel',
  'GET /transport/vehicle-document/:id/paper',
  'GET /transport/vehicle-document/:id/paper/file',
  'GET /transport/trip/:id/free',
  'GET /transport/trip/:id/elsewhere',
  'POST /transport/route/:id/plan',
  'POST /transport/route/:id/duty',
  'POST /transport/route/:id/vehicle',
  'POST /transport/vehicle/:id/move',
];
