import * as z from 'zod/mini';
import { transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { waitingChange } from '#features/fee-price/contract/proposal.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte } from '#kit/contract/uploads.ts';
import { vehicleMaster } from './masters.ts';
import { riderChanges } from './rider.ts';
import { routeShows, touchedRiders } from './route.ts';

/** What moving the trips of a vehicle asks. */
export const moveFields = {
  vehicleId: field.ref(text`Vehicle that takes them`, { to: namedBy(vehicleMaster) }),
  effectiveFrom: field.date(text`From`),
  isSwap: field.yesNo(text`Swap: this vehicle takes the trips of the other one`),
  isUnderRepair: field.yesNo(text`The vehicle goes under repair`, {
    hint: text`From the same day, until you enter its last day under Vehicle Master, Away.`,
  }),
};

/** What copying the slab prices of a year asks. */
export const copyFields = {
  fromYearId: field.ref(text`From the year`, { to: namedBy(yearMaster) }),
  toYearId: field.ref(text`To the year`, { to: namedBy(yearMaster) }),
  rise: field.percent(text`Rise (%)`, { optional: true, hint: text`Leave empty for the same prices.` }),
  unit: field.oneOf(text`Rounded to (₹)`, { options: options('1', '10', '50', '100') }),
};

const run = { runId: z.nullable(z.number()) };

export const fleetApi = {
  /** The figures of the day, each with its list. */
  summary: endpoint({
    method: 'GET',
    path: '/transport/summary',
    access: transportReaders,
    shows: [...routeShows, 'approval'],
    input: z.object({}),
    output: z.object({
      figures: z.array(
        z.object({
          label: anyText,
          value: z.number(),
          isLate: z.optional(z.boolean()),
          isMore: z.optional(z.boolean()),
          to: z.optional(z.string()),
        }),
      ),
    }),
  }),
  /** Another vehicle takes all trips of this one from a day on, or both swap theirs; the preview names the riders. */
  move: endpoint({
    method: 'POST',
    path: '/transport/vehicle/:id/move',
    access: transportKeepers,
    changes: ['route', 'vehicle', 'vehicle-away'],
    input: z.object({ id, ...inputOf(moveFields), confirmToken }),
    output: previewed({ trips: z.number(), ...touchedRiders }),
  }),
  /** Copies the slab prices of a year to a later one with a percentage more; prices that are there already are kept. */
  copySlabPrices: endpoint({
    method: 'POST',
    path: '/transport/slab/copy',
    access: transportKeepers,
    changes: ['slab-price'],
    input: z.object({ ...inputOf(copyFields), confirmToken }),
    output: previewed({
      rows: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          before: z.number(),
          /** The price in the later year. */
          after: z.number(),
          isKept: z.boolean(),
        }),
      ),
    }),
  }),
  /** Slab prices that wait for a second person. */
  waitingPrices: endpoint({
    method: 'GET',
    path: '/transport/slab-price/waiting',
    access: transportReaders,
    shows: ['slab-price', 'fee-proposal', 'approval'],
    input: z.object({}),
    output: z.object({ rows: z.array(waitingChange) }),
  }),
  /** The file of a vehicle's paper; no name without one. */
  paper: endpoint({
    method: 'GET',
    path: '/transport/vehicle-document/:id/paper',
    access: transportReaders,
    shows: ['vehicle-document'],
    input: z.object({ id }),
    output: z.object({ name: z.string(), storedAt: z.string() }),
  }),
  attachPaper: endpoint({
    method: 'POST',
    path: '/transport/vehicle-document/:id/paper',
    access: transportKeepers,
    changes: ['vehicle-document'],
    input: z.object({ id }),
    output: z.object({}),
    files: {
      file: {
        label: text`File`,
        kinds: ['png', 'jpeg', 'pdf'],
        maxBytes: 4 * megabyte,
        wrongType: text`Select a JPG, PNG or PDF file.`,
        tooLarge: text`File size exceeds 4MB`,
      },
    },
  }),
  /** Each view is audited. */
  viewPaper: endpoint({
    method: 'GET',
    path: '/transport/vehicle-document/:id/paper/file',
    access: transportReaders,
    input: z.object({ id }),
    output: servedFile,
  }),
  /** How many riders are charged other amounts than their stops cost now. */
  uncharged: endpoint({
    method: 'GET',
    path: '/transport/charge',
    access: transportKeepers,
    shows: ['rider', 'slab-price', 'stop', 'slab', 'fee-plan'],
    input: z.object({}),
    output: z.object({ riders: z.number(), amount: z.number() }),
  }),
  /** Charges riders what their stops cost now, after a preview, in a run. */
  charge: endpoint({
    method: 'POST',
    path: '/transport/charge',
    access: transportKeepers,
    changes: [...riderChanges, 'fee-plan'],
    input: z.object({ confirmToken }),
    output: z.extend(bulkAnswer, { ...run, total: z.number() }),
  }),
  /** Ends the rides that can't continue in the next academic year, and charges all others there, in a run. */
  nextYear: endpoint({
    method: 'POST',
    path: '/transport/next-year',
    access: transportKeepers,
    changes: [...riderChanges, 'fee-plan'],
    input: z.object({ confirmToken }),
    output: z.extend(bulkAnswer, {
      ...run,
      year: z.string(),
      total: z.number(),
      /** Those whose ride ends, with the reason. */
      ends: z.array(z.object({ id: z.number(), name: z.string(), reason: anyText })),
      endsCount: z.number(),
      /** Other open years in which fees of these riders differ, and by how much in all. Nothing is posted there. */
      others: z.array(z.object({ year: z.string(), riders: z.number(), total: z.number() })),
    }),
  }),
};
