import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { absentOn, leftOn } from '#features/attendance/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { openTemplate, type PaperData, type PaperTable } from '#kit/server/paper/paper.ts';
import { readPortraits } from '#kit/server/paper/portraits.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { riderApi } from '../contract/rider.ts';
import { dayReaders } from '../contract/today.ts';

interface Trip {
  id: number;
  route: string;
  slot: string;
  bus: string | null;
  driver: string | null;
  attendant: string | null;
  direction: string;
}

interface Rider {
  tripId: number;
  studentId: number | null;
  seq: number;
  time: string;
  stop: string;
  name: string;
  section: string | null;
  photo: string | null;
  contact: string | null;
  alert: string;
}

/** The fonts of papers have no box. */
const tickBox = '[    ]';

/** In place of the box to tick, for those whom the register of the day has as not here. */
const awayWords = { Absent: text`Absent`, Leave: text`Leave` };

/** Each trip with its riders on pages of its own. */
interface Manifests extends PaperData {
  trips: { facts: (readonly [name: Text, value: string])[]; table: PaperTable }[];
  foot: Text;
  made: Text;
}
const manifests = openTemplate<Manifests>(new URL('./manifests.typ', import.meta.url));

/** More faces than these take too long to print. */
const mostPortraits = 600;

/** The trips that a condition on `trip` and `route` names, with what they have on the day. */
async function readTrips({ db, user }: UserContext, day: string, which: RawBuilder<boolean>): Promise<Trip[]> {
  const { rows } = await sql<Trip>`
    select trip.id, route.name as route, slot.name as slot, vehicle.fleet_no || ', ' || vehicle.registration_no as bus,
      driver.name as driver, attendant.name as attendant, trip.direction
    from transport_trip trip
    join transport_route route on route.id = trip.route_id
    join transport_time_slot slot on slot.id = trip.time_slot_id
    left join transport_duty duty on duty.trip_id = trip.id
      and ${day}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    left join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    left join transport_crew drives on drives.id = duty.driver_id left join staff driver on driver.id = drives.staff_id
    left join transport_crew helps on helps.id = duty.attendant_id left join staff attendant on attendant.id = helps.staff_id
    where ${which} and ${inScope(user, dayReaders, { branch: sql`route.branch_id` })}
    order by slot.starts, route.name, trip.id`.execute(db);
  return rows;
}

/** Who rides on these trips on the day, in the order of the stops. */
async function readRiders({ db }: UserContext, tripIds: readonly number[], day: string): Promise<Rider[]> {
  const { rows } = await sql<Rider>`
    select trip.id as "tripId", student.id as "studentId", stop.seq, transport_time(trip.id, ride.stop_id, ${day}) as time,
      place.name as stop, coalesce(student.name, staff.name) as name,
      academic_section_name(grade.name, section.name) as section, student.photo_id as photo,
      coalesce((select concat_ws(', ', name, nullif(mobile, '')) from student_contact where student_id = student.id),
        staff.mobile) as contact, coalesce(student.alert, '') as alert
    from transport_rides_on(${day}) ride
    join transport_trip trip on trip.id = ride.trip_id
    join transport_route_plan plan on plan.route_id = trip.route_id
      and ${day}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')
    join transport_route_stop stop on stop.plan_id = plan.id and stop.stop_id = ride.stop_id
    join transport_stop place on place.id = ride.stop_id
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    left join student_on(${day}) there on there.student_id = student.id
    left join academic_grade grade on grade.id = there.grade_id
    left join academic_section section on section.id = there.section_id
    where ride.trip_id = any(${tripIds}::integer[])
    order by stop.seq, student.sort_name nulls last, name`.execute(db);
  return rows;
}

async function print(ctx: UserContext, trips: readonly Trip[], day: string) {
  const tripIds = trips.map(({ id }) => id);
  const riders = await readRiders(ctx, tripIds, day);
  const children = riders.flatMap(({ studentId }) => studentId ?? []);
  const isHomeward = trips.some(({ direction }) => direction === 'Drop');
  const left = isHomeward ? await leftOn(ctx, day, children) : [];
  const away = new Map<number, Text>([
    ...(await absentOn(ctx, day, children)).map(({ studentId, kind }) => [studentId, awayWords[kind]] as const),
    ...left.map(
      ({ studentId, leftAt, person, relation }) =>
        [studentId, text`left ${{ time: leftAt }} with ${{ person: relation.toLowerCase() || person }}`] as const,
    ),
  ]);
  const [only] = trips.length === 1 ? trips : [];
  const act = {
    action: 'transport-trip.manifest-printed',
    entity: 'transport_trip',
    entityId: trips[0]?.id ?? 0,
    details: { Day: showDate(day), ...(!only && { Trips: trips.length }), Riders: riders.length },
    names: riders.length,
  };
  return takeNames(ctx, act, async () => {
    const portraits = await readPortraits(
      ctx,
      riders.length > mostPortraits ? [] : riders.flatMap(({ photo }) => photo ?? []),
    );
    const rowOf = ({ studentId, time, stop, name, section, photo, contact, alert }: Rider) => {
      const picture = portraits.get(photo ?? '');
      const here = away.get(studentId ?? 0) ?? tickBox;
      return [time, stop, picture ? { picture, name } : '', name, section ?? '', contact ?? '', alert, here];
    };
    const byTrip = Map.groupBy(riders, ({ tripId }) => tripId);
    const paper: Manifests = {
      head: await ctx.readPaperHead(ctx),
      title: text`Riders of the trip`,
      trips: trips.map(({ id, route, slot, bus, driver, attendant }) => ({
        facts: [
          [text`Route`, route],
          [text`Time slot`, slot],
          [text`Day`, showDate(day)],
          [text`Vehicle`, bus ?? '–'],
          [text`Driver`, driver ?? '–'],
          [text`Attendant`, attendant ?? '–'],
          [text`Riders`, String(byTrip.get(id)?.length ?? 0)],
        ],
        table: {
          heads: [text`Time`, text`Stop`, text`Photo`, text`Name`, text`Section`, text`Call`, text`Alert`, text`Here`],
          rows: (byTrip.get(id) ?? []).map(rowOf),
        },
      })),
      foot: text`Keep this list with the attendant and destroy it after the trip.`,
      made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
    };
    const bytes = await ctx.makePaper(manifests, paper, ctx.caller);
    return { mediaType: 'application/pdf', name: only ? `trip-${only.id}-${day}.pdf` : `trips-${day}.pdf`, bytes };
  });
}

export const manifest: Handler<typeof riderApi.manifest> = async (ctx, { id, day }) => {
  const trips = await readTrips(ctx, day, sql<boolean>`trip.id = ${id}`);
  if (trips.length === 0) throw new AppError('not_found', notFoundMessage);
  return print(ctx, trips, day);
};

/** All trips of a direction that run on the day, each on pages of its own. */
export const allManifests: Handler<typeof riderApi.allManifests> = async (ctx, { day, direction }) => {
  const trips = await readTrips(
    ctx,
    day,
    sql<boolean>`(trip.direction = ${direction} and route.is_active and duty.id is not null
      and exists (select from transport_slot_plan plan where plan.id = duty.slot_plan_id
        and to_char(${day}::date, 'FMDay') = any(plan.weekdays)))`,
  );
  if (trips.length === 0) throw new AppError('not_found', text`No trip on this day.`);
  return print(ctx, trips, day);
};
