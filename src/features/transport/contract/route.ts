import * as z from 'zod/mini';
import { transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, omit } from '#kit/contract/field.ts';
import { id, idAndVersion, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { isActiveLabel, namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { calendarDay, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { attendantNames, driverNames } from './crew.ts';
import { directions, stopMaster, timeSlotMaster, vehicleMaster } from './masters.ts';

const mostStops = 60;

export const routeMessages = {
  noStops: text`Add at least two stops.`,
  manyStops: text`Use at most ${{ mostStops }} stops.`,
  sameStop: text`This stop is on the route already.`,
  rising: text`Enter at least the minutes of the stop above.`,
  stopOfRider: text`A rider would have a stop that is not on the route. Change the rider’s stop first.`,
  earlier: text`Enter a day after the first day of the previous plan.`,
  vehicleClash: text`This vehicle has another trip at the same time.`,
  driverClash: text`This driver has another trip at the same time.`,
  attendantClash: text`This attendant has another trip at the same time.`,
  twoPeople: text`The driver can’t be the attendant.`,
  noSeats: text`The trip has riders after this day. End their rides first.`,
  crewKind: text`Choose a driver who drives and an attendant who attends.`,
};

export const routeFields = {
  code: field.text(text`Code`, { max: 10 }),
  name: field.text(text`Name`, { max: 80 }),
  direction: field.oneOf(text`Direction`, { options: directions }),
  branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
};
/** What may change once the route has stops. */
export const changeableFields = omit(routeFields, 'direction', 'branchId');

/** What a trip needs, each given and replaced on its own. */
export const roles = options('Vehicle', 'Driver', 'Attendant');
export type Role = (typeof roles)[number];

const effectiveFrom = calendarDay(text`From`);

const stopDraft = z.object({
  stopId: neededId(text`Stop`),
  offsetMin: wholeNumber(text`Minutes after the start`, { least: 0, most: 240 }),
});
export type StopDraft = z.infer<typeof stopDraft>;

const inOrder = rule<{ stops: StopDraft[] }>(({ stops = [] }, say) => {
  const sayAt = (place: number, name: keyof StopDraft, message: Text) =>
    say(`stops.${place}.${name}` as 'stops', message);
  const ids = stops.map((stop) => stop?.stopId);
  stops.forEach((stop, place) => {
    if (stop?.stopId && ids.indexOf(stop.stopId) < place) sayAt(place, 'stopId', routeMessages.sameStop);
    const above = stops[place - 1]?.offsetMin;
    if (typeof above === 'number' && typeof stop?.offsetMin === 'number' && stop.offsetMin < above)
      sayAt(place, 'offsetMin', routeMessages.rising);
  });
});

export const dutyFields = {
  timeSlotId: field.ref(text`Time slot`, { to: namedBy(timeSlotMaster) }),
  vehicleId: field.ref(text`Vehicle`, { to: namedBy(vehicleMaster) }),
  driverId: field.ref(text`Driver`, { to: driverNames }),
  attendantId: field.ref(text`Attendant`, { to: attendantNames }),
  effectiveFrom: field.date(text`From`),
  dropsPlanned: field.yesNo(text`Drop later changes`, {
    hint: text`Without this, a change of vehicle or crew that is planned for later counts from its day.`,
  }),
};

const stop = z.object({
  stopId: z.number(),
  name: z.string(),
  offsetMin: z.number(),
  /** Riders of the route at this stop, on the day and later. */
  riders: z.number(),
});

const plan = z.object({
  id: z.number(),
  effectiveFrom: z.string(),
  effectiveTo: z.string(),
  stops: z.array(stop),
});
export type RoutePlan = z.infer<typeof plan>;

const duty = z.object({
  id: z.number(),
  vehicleId: z.number(),
  vehicle: z.string(),
  seats: z.number(),
  driverId: z.number(),
  driver: z.string(),
  attendantId: z.number(),
  attendant: z.string(),
  effectiveFrom: z.string(),
  effectiveTo: z.string(),
  /** Who and which is given until further notice, without stand-ins; null for none. */
  standing: z.object({
    vehicleId: z.nullable(z.number()),
    driverId: z.nullable(z.number()),
    attendantId: z.nullable(z.number()),
  }),
  /** Papers of the vehicle or the driver that have expired or are missing today. */
  lacking: z.array(z.string()),
});
export type Duty = z.infer<typeof duty>;

const trip = z.object({
  id: z.number(),
  timeSlotId: z.number(),
  slot: z.string(),
  starts: z.string(),
  ends: z.string(),
  /** Riders on the day. */
  riders: z.number(),
  /** Of the day and later, the earliest first. */
  duties: z.array(duty),
});
export type Trip = z.infer<typeof trip>;

const route = z.object({
  id: z.number(),
  version: z.number(),
  code: z.string(),
  name: z.string(),
  direction: z.enum(directions),
  branchId: z.number(),
  branch: z.string(),
  partnerId: z.nullable(z.number()),
  isActive: z.boolean(),
  today: z.string(),
  /** Of the day and later, the earliest first. */
  plans: z.array(plan),
  trips: z.array(trip),
  may: abilities('change'),
});
export type Route = z.infer<typeof route>;

const touchedRider = z.object({ name: z.string(), stop: z.string(), before: z.string(), after: z.string() });
export type TouchedRider = z.infer<typeof touchedRider>;
/** Whom a change gives another time or vehicle: the first hundred of them, and how many in all. */
export const touchedRiders = { riders: z.array(touchedRider), count: z.number() };

/** A change of a trip that begins later than the one that is asked. */
const plannedChange = z.object({ role: z.enum(roles), name: z.string(), from: z.string(), isDropped: z.boolean() });
export type PlannedChange = z.infer<typeof plannedChange>;

const path = '/transport/route';
export const routeShows = ['route', 'stop', 'time-slot', 'vehicle', 'crew', 'rider', 'vehicle-document'] as const;
const changes = ['route'] as const;
const saved = z.object({ id: z.number(), version: z.number() });

export const routeList = defineList({
  name: 'transport_route',
  path,
  singular: text`route`,
  plural: text`routes`,
  access: transportReaders,
  shows: routeShows,
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    code: { kind: 'text', label: text`Code`, isSorted: true },
    direction: { kind: 'oneOf', label: text`Direction`, options: directions },
    stops: { kind: 'number', label: text`Stops`, isLabelled: true },
    trips: { kind: 'number', label: text`Trips`, isLabelled: true },
    riders: { kind: 'number', label: text`Riders today`, head: text`Riders`, isLabelled: true },
    used: { kind: 'number', label: text`Seats used (%)`, head: text`Used %`, isLabelled: true },
    vehicles: { kind: 'text', label: text`Vehicles` },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    isActive: { kind: 'yesNo', label: isActiveLabel, isAside: true },
  },
  filters: {
    direction: { kind: 'oneOf', label: text`Direction`, options: directions },
    timeSlotId: filterBy(dutyFields.timeSlotId),
    vehicleId: filterBy(dutyFields.vehicleId),
    stopId: filterBy({ label: text`Stop`, to: namedBy(stopMaster) }),
    branchId: filterBy(routeFields.branchId),
  },
  tabs: {
    active: text`Active`,
    full: text`Over 90 % full`,
    all: text`All`,
  },
  extra: {},
});

export const routeApi = {
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: transportReaders,
    shows: routeShows,
    input: z.object({ id }),
    output: route,
  }),
  history: historyOf(path, transportReaders, ['route']),
  create: endpoint({
    method: 'POST',
    path,
    access: transportKeepers,
    changes,
    input: z.object(inputOf(routeFields)),
    output: saved,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: transportKeepers,
    changes,
    input: z.object({ ...inputOf(changeableFields), isActive: tick(isActiveLabel), ...idAndVersion }),
    output: saved,
  }),
  /** Sets the order and times of the stops from a day on; the preview names the riders whose time changes. */
  plan: endpoint({
    method: 'POST',
    path: `${path}/:id/plan`,
    access: transportKeepers,
    changes,
    input: z
      .object({
        ...idAndVersion,
        effectiveFrom,
        stops: listOf(stopDraft, {
          least: 2,
          most: mostStops,
          none: routeMessages.noStops,
          many: routeMessages.manyStops,
        }),
        confirmToken,
      })
      .check(inOrder),
    output: previewed(touchedRiders),
  }),
  /** Makes or renews the route of the other direction: the stops in reverse order, with the same minutes between them. */
  reverse: endpoint({
    method: 'POST',
    path: `${path}/:id/reverse`,
    access: transportKeepers,
    changes,
    input: z.object({ ...idAndVersion, effectiveFrom }),
    output: saved,
  }),
  /** Gives a trip its vehicle and crew from a day on; the preview names what is planned later and who gets another vehicle. */
  duty: endpoint({
    method: 'POST',
    path: `${path}/:id/duty`,
    access: transportKeepers,
    changes,
    input: z.object({ id, ...inputOf(dutyFields), confirmToken }),
    output: previewed({ planned: z.array(plannedChange), ...touchedRiders }),
  }),
  /** Another vehicle for all trips of the route from a day on; the preview names the riders. */
  vehicle: endpoint({
    method: 'POST',
    path: `${path}/:id/vehicle`,
    access: transportKeepers,
    changes,
    input: z.object({ id, vehicleId: neededId(text`Vehicle`), effectiveFrom, confirmToken }),
    output: previewed({ trips: z.number(), ...touchedRiders }),
  }),
  /** Ends a trip, whose riders must have ended before. */
  endDuty: endpoint({
    method: 'POST',
    path: `${path}/:id/trip/:tripId/end`,
    access: transportKeepers,
    changes,
    input: z.object({ id, tripId: id, lastDay: calendarDay(text`Last day`) }),
    output: z.object({}),
  }),
};
