import * as z from 'zod/mini';
import { riderReaders, studentRiderReaders, transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { studentOptionsAt } from '#features/student/contract/options.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import { fieldInfo, id, oneOf, optionalFreeText, optionalId, rule } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { directions, stopMaster, vehicleMaster } from './masters.ts';
import { routeShows } from './route.ts';
import { dayReaders } from './today.ts';

export const riderKinds = options('Student', 'Staff');
export type RiderKind = (typeof riderKinds)[number];
const fees = options('By stop', 'Free', 'Payroll');
const mostRiders = 200;

export const riderMessages = {
  noRider: text`Choose a rider.`,
  twice: text`This rider is on the list twice.`,
  noTrip: text`Choose a trip for the pickup or the drop.`,
  noStop: text`Choose the stop.`,
  payroll: text`Only staff pay by payroll.`,
  otherGrade: text`This time slot isn’t for the student’s grade.`,
  notHere: text`This student is not at the school on this day.`,
  hasLeft: text`This person does not work here on this day.`,
  studentHasSeat: text`This student has a seat in these days already.`,
  staffHasSeat: text`This person has a seat in these days already.`,
  changed: text`The ride has changed since the request. Ask again.`,
  hasRequest: text`A stop change of this rider waits. Decide it first.`,
  noSeat: text`The trip has no free seat on one of the days.`,
  noStopThere: text`This trip does not stop there on the day.`,
  later: text`A later ride of this rider is planned. End it first.`,
  endedBefore: text`The ride has ended by this day.`,
  beforeStart: text`The ride begins later. Choose a day on or after its first day.`,
  priceAlone: text`A second person decides on a lower price, and on a new one that costs less than in another year. Enter it in the list of slab prices.`,
  freeAlone: text`A second person decides on a free seat. Assign the rider on the page of riders.`,
};

const path = '/transport/rider';
const riderShows = ['rider', ...routeShows, 'slab', 'slab-price', 'student', 'staff'] as const;
export const riderChanges = ['rider', 'route', 'stop-change'] as const;

/** The students of the user’s branches, as a target of fields. */
const studentOptions = studentOptionsAt('/transport/student/option', studentRiderReaders);
const studentNames = {
  table: 'student',
  labelFields: ['name'],
  isPeople: true as const,
  fields: { name: field.text(text`Name`, { max: 100 }) },
  options: studentOptions,
};
export const riderFields = {
  studentId: field.ref(text`Student`, { to: studentNames, optional: true }),
  staffId: field.ref(text`Staff`, { to: staffNames, optional: true }),
};

export const riderList = defineList({
  name: 'transport_rider',
  path,
  singular: text`rider`,
  plural: text`riders`,
  access: transportReaders,
  shows: riderShows,
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    place: { kind: 'text', label: text`Section or department`, head: text`Section` },
    pickup: { kind: 'text', label: text`Pickup` },
    pickupBus: { kind: 'text', label: text`Pickup vehicle`, head: text`Bus` },
    drop: { kind: 'text', label: text`Drop` },
    dropBus: { kind: 'text', label: text`Drop vehicle`, head: text`Bus back`, isAside: true },
    since: { kind: 'date', label: text`Since`, isSorted: true, isLabelled: true },
    until: { kind: 'date', label: text`Until`, isAside: true, isLabelled: true },
    amount: { kind: 'money', label: text`A month`, isLabelled: true },
    fee: { kind: 'oneOf', label: text`Fee`, options: fees, isAside: true },
  },
  filters: {
    kind: { kind: 'oneOf', label: text`Riders`, options: riderKinds, words: [text`Students`, text`Staff`] },
    direction: {
      kind: 'oneOf',
      label: text`Ways`,
      options: options('Both', 'Pickup', 'Drop'),
      words: [text`Both ways`, text`Pickup only`, text`Drop only`],
    },
    stopId: filterBy({ label: text`Stop`, to: namedBy(stopMaster) }),
    vehicleId: filterBy({ label: text`Vehicle`, to: namedBy(vehicleMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    fee: { kind: 'oneOf', label: text`Fee`, options: fees },
  },
  tabs: {
    now: text`Riding today`,
    later: text`From a later day`,
    ended: text`Ended`,
    all: text`All`,
  },
  extra: { kind: z.enum(riderKinds), personId: z.number() },
});

/** Trips and stops of a ride, as they are entered. */
export const rideDraft = {
  pickupTripId: optionalId,
  pickupStopId: optionalId,
  dropTripId: optionalId,
  dropStopId: optionalId,
};
const idOrNull = z.nullable(z.number());
/** Trips and stops of a ride, as they are stored. */
export const shownRide = z.object({
  pickupTripId: idOrNull,
  pickupStopId: idOrNull,
  dropTripId: idOrNull,
  dropStopId: idOrNull,
});
export type RideDraft = z.infer<typeof shownRide>;

/** A ride has a way, and each way a trip and a stop. */
export function rideProblems(
  draft: { [Name in keyof RideDraft]?: number | null | undefined },
): Partial<Record<keyof RideDraft, Text>> {
  const { pickupTripId = null, pickupStopId = null, dropTripId = null, dropStopId = null } = draft;
  const ride = { pickupTripId, pickupStopId, dropTripId, dropStopId };
  const problems: Partial<Record<keyof RideDraft, Text>> = {};
  if (Object.values(ride).every((id) => id === null)) problems.pickupStopId = riderMessages.noTrip;
  if (ride.pickupStopId !== null && ride.pickupTripId === null) problems.pickupTripId = riderMessages.noTrip;
  if (ride.dropStopId !== null && ride.dropTripId === null) problems.dropTripId = riderMessages.noTrip;
  if (ride.pickupTripId !== null && ride.pickupStopId === null) problems.pickupStopId = riderMessages.noStop;
  if (ride.dropTripId !== null && ride.dropStopId === null) problems.dropStopId = riderMessages.noStop;
  return problems;
}

const rider = z.object({ studentId: optionalId, staffId: optionalId, ...rideDraft, fee: oneOf(text`Fee`, fees) });
export type RiderDraft = z.infer<typeof rider>;

const complete = rule<{ riders: RiderDraft[] }>(({ riders = [] }, say) => {
  const isAbove = (place: number, name: 'studentId' | 'staffId') =>
    riders[place]?.[name] != null && riders.findIndex((one) => one?.[name] === riders[place]?.[name]) < place;
  riders.forEach((one, place) => {
    if (!one) return;
    const sayAt = (name: keyof RiderDraft, message: Text) => say(`riders.${place}.${name}` as 'riders', message);
    for (const name of ['studentId', 'staffId'] as const) if (isAbove(place, name)) sayAt(name, riderMessages.twice);
    if ((one.studentId === null) === (one.staffId === null)) sayAt('studentId', riderMessages.noRider);
    if (one.fee === 'Payroll' && one.staffId === null) sayAt('fee', riderMessages.payroll);
    for (const [name, message] of Object.entries(rideProblems(one))) sayAt(name as keyof RideDraft, message);
  });
});

const reasonField = { label: text`Reason`, max: 200, optional: true };
/** Not asked where no child waits. */
const reason = z._default(optionalFreeText(reasonField.label, reasonField.max), '').register(fieldInfo, reasonField);

const freeTrip = z.object({
  tripId: z.number(),
  route: z.string(),
  slot: z.string(),
  time: z.string(),
  vehicle: z.string(),
  /** On the day. */
  free: z.number(),
  /** On the later day with the fewest free seats, '' where that is the day itself. */
  least: z.number(),
  leastOn: z.string(),
  /** Where it has none on some day: the first day from which it always has one, '' for none. */
  freeFrom: z.string(),
});
export type FreeTrip = z.infer<typeof freeTrip>;

export const riderApi = {
  students: studentOptions,
  /** The trips that stop there on a day and serve the student’s grade, with their free seats. */
  freeSeats: endpoint({
    method: 'GET',
    path: '/transport/free-seat',
    access: riderReaders,
    shows: riderShows,
    input: z.object({
      stopId: id,
      direction: oneOf(text`Direction`, directions),
      day: calendarDay(text`Day`),
      studentId: z._default(optionalId, null),
      staffId: z._default(optionalId, null),
    }),
    output: z.object({ trips: z.array(freeTrip) }),
  }),
  /** Students who asked for the bus on their form and have no seat today or later; at most a hundred. */
  wishes: endpoint({
    method: 'GET',
    path: '/transport/wish',
    access: transportReaders,
    shows: riderShows,
    input: z.object({}),
    output: z.object({ students: z.array(z.object({ id: z.number(), name: z.string(), section: z.string() })) }),
  }),
  /** Gives riders their seats from a day on, all or none. */
  assign: endpoint({
    method: 'POST',
    path: `${path}/assign`,
    access: transportKeepers,
    changes: riderChanges,
    input: z
      .object({
        riders: listOf(rider, { least: 1, most: mostRiders, none: riderMessages.noRider }),
        effectiveFrom: calendarDay(text`Rides from`),
        billedFrom: calendarDay(text`Charged from`, true),
        /** Why they get seats for which another child waits. */
        reason,
        confirmToken,
      })
      .check(complete),
    output: previewed({
      rows: z.array(
        z.object({
          name: z.string(),
          pickup: z.string(),
          drop: z.string(),
          amount: z.number(),
          /** What the fees of open years change by; null without a fee plan. */
          ofYear: z.nullable(z.number()),
          /** The seat is free once a second person approves, and charged until then. */
          isAsked: z.boolean(),
        }),
      ),
    }),
  }),
  end: endpoint({
    method: 'POST',
    path: `${path}/end`,
    access: transportKeepers,
    changes: riderChanges,
    input: z.object({
      selection,
      lastDay: calendarDay(text`Last day`),
      reason: optionalFreeText(text`Reason`, 200),
      confirmToken,
    }),
    output: bulkAnswer,
  }),
  /** Gives the riders of a stop another one from a day on; those who do not fit are named, and keep their stop. */
  moveStop: endpoint({
    method: 'POST',
    path: '/transport/stop/:id/move',
    access: transportKeepers,
    changes: riderChanges,
    input: z.object({ id, ...rideDraft, effectiveFrom: calendarDay(text`From`), reason, confirmToken }).check(
      rule<z.infer<typeof shownRide>>((draft, say) => {
        for (const [name, message] of Object.entries(rideProblems(draft))) say(name as keyof RideDraft, message);
      }),
    ),
    output: z.extend(bulkAnswer, {
      moved: z.array(
        z.object({
          name: z.string(),
          before: z.string(),
          after: z.string(),
          /** A month, before and after. */
          amount: z.number(),
          newAmount: z.number(),
        }),
      ),
      /** Children who wait for a seat at the stop, and from now on at the new one. */
      waiting: z.array(z.string()),
      /** Those whose two ways would get two stops: they wait at the stop as before. */
      waitingStill: z.array(z.string()),
      /** What the fees of open years change by. */
      ofYear: z.number(),
    }),
  }),
  /** The riders of a trip in the order of its stops, for the attendant. */
  manifest: endpoint({
    method: 'GET',
    path: '/transport/trip/:id/manifest',
    access: dayReaders,
    input: z.object({ id, day: calendarDay(text`Day`) }),
    output: servedFile,
  }),
  /** The same for all trips of a direction, each on pages of its own. */
  allManifests: endpoint({
    method: 'GET',
    path: '/transport/manifest',
    access: dayReaders,
    input: z.object({ day: calendarDay(text`Day`), direction: oneOf(text`Direction`, directions) }),
    output: servedFile,
  }),
};
