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
const riderReaders: Row = { staff: ['transportIncharge', 'principal', 'office', 'accountant', 'hr'] };
const changing = /^(POST|PUT|DELETE) |template/;
const views = /\/view(\/:id)?$/;

const ofMasters = Object.fromEntries(
  Object.entries(masterRows(transportMasters, {})).map(([operation, row]) => [
    operation,
    { ...row, ...(changing.test(operation) && !views.test(operation) ? keepers : readers) },
  ]),
);
const chosenByOthers = [slabMaster, slabPriceMaster, stopMaster, timeSlotMaster, vehicleMaster, crewMaster];

export const rows: Rows = {
  ...ofMasters,
  ...Object.fromEntries(chosenByOthers.map(({ path }) => [`GET ${path}/option`, riderReaders])),
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
  'POST /transport/route/:id/plan': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/reverse': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/duty': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/duty/:dutyId/end': { ...keepers, ids: 'other' },
  'POST /transport/route/:id/vehicle': { ...keepers, ids: 'other' },
};

const pages = ['transport/', 'transport/time-slot', 'transport/vehicle', 'transport/route', 'transport/route/$routeID'];

export const work: Work = {
  transportIncharge: { pages, isChanging: true },
  principal: { pages },
};
