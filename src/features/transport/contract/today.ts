import * as z from 'zod/mini';
import { staff, transportKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { directions } from './masters.ts';
import { roles, routeShows, touchedRiders } from './route.ts';

/** Who reads which bus comes today. */
export const dayReaders = [staff('transportIncharge', 'principal', 'office')] as const;

/** A vehicle stands in for at most so many days after the first. */
const mostStandInDays = 60;

const given = z.object({
  /** A vehicle’s or crew’s id. */
  id: z.number(),
  name: z.string(),
  /** A mobile number, or the number plate of a vehicle. */
  detail: z.string(),
  /** Why it can’t be there on the day, or papers that have expired. */
  isAway: z.boolean(),
  lacking: z.array(z.string()),
  /** The vehicle or person that it replaces on this day; '' where it is the standing one. */
  insteadOf: z.string(),
  /** The last day of the stand-in; '' where it is the standing one. */
  until: z.string(),
});
export type Given = z.infer<typeof given>;

const dayTrip = z.object({
  id: z.number(),
  routeId: z.number(),
  route: z.string(),
  slot: z.string(),
  direction: z.enum(directions),
  starts: z.string(),
  ends: z.string(),
  seats: z.number(),
  riders: z.number(),
  /** Of them those who usually ride on another trip. */
  guests: z.number(),
  /** Usual riders who ride on another trip, or on none. */
  elsewhere: z.number(),
  isNotRunning: z.boolean(),
  /** Riders whom the register of the day has as absent or on leave. */
  absent: z.number(),
  /** Null where the trip has none on this day. */
  vehicle: z.nullable(given),
  driver: z.nullable(given),
  attendant: z.nullable(given),
  /** The acts whose stand-ins or other rides count on this day, the latest first. */
  acts: z.array(z.string()),
});
export type DayTrip = z.infer<typeof dayTrip>;

/** The trip runs on the day without a vehicle, driver or attendant, or with one that is away. */
export const lacksOne = ({ isNotRunning, vehicle, driver, attendant }: DayTrip): boolean =>
  !isNotRunning && [vehicle, driver, attendant].some((one) => one === null || one.isAway);

const day = calendarDay(text`Day`);
const role = z.enum(roles);

/** The days and the reason of a stand-in. */
export const standInFields = {
  effectiveFrom: field.date(text`From`),
  effectiveTo: field.date(text`Until`),
  reason: field.text(text`Reason`, { max: 200, optional: true }),
};

const inDays = rule<{ effectiveFrom: string; effectiveTo: string }>((draft, say) => {
  const { effectiveFrom, effectiveTo } = draft;
  if (!effectiveFrom || !effectiveTo) return;
  if (effectiveTo < effectiveFrom) say('effectiveTo', text`Enter a later day.`);
  else if (Date.parse(effectiveTo) - Date.parse(effectiveFrom) > mostStandInDays * 86_400_000)
    say('effectiveTo', text`Enter at most 60 days. For longer, change the trip on its route.`);
});

/** Another trip of a rider on some days, or none. */
const move = z.object({
  rideId: id,
  way: z.enum(directions),
  tripId: z.nullable(id),
  stopId: z.nullable(id),
});
export type Move = z.infer<typeof move>;

const moves = listOf(move, { most: 400 });

/** Another trip on which a rider may ride: it stops at the same place, or in the same area. */
const otherTrip = z.object({
  tripId: z.number(),
  stopId: z.number(),
  route: z.string(),
  stop: z.string(),
  time: z.string(),
  vehicle: z.string(),
  /** On each of the days. */
  free: z.number(),
  isSameStop: z.boolean(),
});
export type OtherTrip = z.infer<typeof otherTrip>;

const movable = z.object({
  rideId: z.number(),
  way: z.enum(directions),
  name: z.string(),
  place: z.string(),
  stop: z.string(),
  trips: z.array(otherTrip),
});
export type Movable = z.infer<typeof movable>;

/** An adult who may take a child from the bus. */
const collector = z.object({ name: z.string(), mobile: z.string() });
export type Collector = z.infer<typeof collector>;

const shows = [...routeShows, 'vehicle-away'] as const;

export const todayApi = {
  /** The trips of a day with vehicle, crew and riders. */
  day: endpoint({
    method: 'GET',
    path: '/transport/today',
    access: dayReaders,
    shows: [...shows, 'attendance'],
    input: z.object({ day }),
    output: z.object({
      day: z.string(),
      today: z.string(),
      isSchoolDay: z.boolean(),
      trips: z.array(dayTrip),
      may: z.object({ replace: z.boolean() }),
    }),
  }),
  /** The riders of a trip on a day in the order of its stops, each child with the adults who may collect it. */
  riders: endpoint({
    method: 'GET',
    path: '/transport/trip/:id/rider',
    access: dayReaders,
    shows: [...shows, 'attendance', 'student', 'guardian'],
    input: z.object({ id, day }),
    output: z.object({
      riders: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          /** A colleague, whom no adult collects. */
          isStaff: z.boolean(),
          time: z.string(),
          stop: z.string(),
          /** Whom to call. */
          contact: z.string(),
          alert: z.string(),
          /** Why the child does not ride, where the register or the gate knows. */
          away: z.optional(anyText),
          collectors: z.array(collector),
          barred: z.array(z.string()),
        }),
      ),
    }),
  }),
  /** What changed on a trip, by whom and when. */
  history: historyOf('/transport/trip', dayReaders, ['route', 'rider']),
  /** Who or which is free to stand in, the best first. */
  free: endpoint({
    method: 'GET',
    path: '/transport/trip/:id/free',
    access: transportKeepers,
    shows,
    input: z.object({ id, role, isAll: z.optional(z.string()), from: day, to: day }),
    output: z.object({
      /** The trips of the one who is replaced on these days. */
      trips: z.number(),
      riders: z.number(),
      rows: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          detail: z.string(),
          /** Has had this trip before. */
          knows: z.boolean(),
          /** Days as a stand-in in the month of the first day. */
          standIns: z.number(),
          /** Of a vehicle. */
          seats: z.nullable(z.number()),
        }),
      ),
    }),
  }),
  /** Replaces a vehicle or a person on some days; the preview names the riders who get another vehicle. */
  standIn: endpoint({
    method: 'POST',
    path: '/transport/stand-in',
    access: transportKeepers,
    changes: ['route', 'rider', 'vehicle-away'],
    input: z
      .object({
        tripId: id,
        role,
        /** The one who is replaced, as the page shows it; null where the trip has none. */
        replacedId: z.nullable(id),
        ownId: id,
        /** All trips of the one who is replaced, not only this one. */
        isAll: tick(text`All trips`),
        /** The vehicle that is replaced has no trip on these days. */
        isAway: tick(text`The vehicle goes to the workshop`),
        isTold: tick(text`Tell the families`),
        /** Riders who ride elsewhere on these days, such as those whom a smaller vehicle has no seats for. */
        moves,
        ...inputOf(standInFields),
        confirmToken,
      })
      .check(inDays),
    output: previewed({ act: z.string(), trips: z.number(), families: z.number(), ...touchedRiders }),
  }),
  /** The riders of a trip on some days, each with the other trips that serve the stop or its area. */
  elsewhere: endpoint({
    method: 'GET',
    path: '/transport/trip/:id/elsewhere',
    access: transportKeepers,
    shows,
    input: z.object({ id, isAll: z.optional(z.string()), from: day, to: day }),
    output: z.object({
      trips: z.array(z.object({ id: z.number(), name: z.string(), riders: z.array(movable) })),
    }),
  }),
  /** Riders of a trip ride on another one, or on none, on some days; the trip may not run at all then. */
  dayRides: endpoint({
    method: 'POST',
    path: '/transport/trip/:id/day-ride',
    access: transportKeepers,
    changes: ['route', 'rider'],
    input: z
      .object({
        id,
        isNotRunning: tick(text`The trip does not run`),
        isTold: tick(text`Tell the families`),
        moves,
        ...inputOf(standInFields),
        confirmToken,
      })
      .check(inDays),
    output: previewed({ act: z.string(), trips: z.number(), families: z.number(), ...touchedRiders }),
  }),
  /** Removes the days of today and later of an act. */
  undo: endpoint({
    method: 'POST',
    path: '/transport/stand-in/:act/undo',
    access: transportKeepers,
    changes: ['route', 'rider', 'vehicle-away'],
    input: z.object({ act: z.uuid() }),
    output: z.object({ trips: z.number() }),
  }),
};
