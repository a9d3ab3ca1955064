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
import { readHistory } from '#kit/server/security/history.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { riderApi } from '../contract/rider.ts';
import { type Collector, dayReaders, type todayApi } from '../contract/today.ts';

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
  collectors: Collector[];
  barred: string[];
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

/** The living adults of `student` under a condition on `bond`, in the order of calling, as JSON. */
const adultsOf = (what: RawBuilder<unknown>, which: RawBuilder<unknown>) => sql`coalesce((
  select json_agg(${what} order by bond.is_primary desc, bond.contact_order, adult.id)
  from student_guardian bond join guardian adult on adult.id = bond.guardian_id and not adult.is_deceased
  left join academic_lookup relation on relation.id = bond.relation_id
  where bond.student_id = student.id and ${which}), '[]')`;
const adultName = sql`adult.name || coalesce(' (' || relation.name || ')', '')`;

/** Who rides on these trips on the day, in the order of the stops. */
async function readRiders({ db }: UserContext, tripIds: readonly number[], day: string): Promise<Rider[]> {
  const { rows } = await sql<Rider>`
    select trip.id as "tripId", student.id as "studentId", stop.seq, transport_time(trip.id, ride.stop_id, ${day}) as time,
      place.name as stop, coalesce(student.name, staff.name) as name,
      academic_section_name(grade.name, section.name) as section, student.photo_id as photo,
      coalesce((select concat_ws(', ', name, nullif(mobile, '')) from student_contact where student_id = student.id),
        staff.mobile) as contact, coalesce(student.alert, '') as alert,
      ${adultsOf(sql`json_build_object('name', ${adultName}, 'mobile', adult.mobile)`, sql`bond.may_collect and not bond.is_barred`)}
        as collectors,
      ${adultsOf(adultName, sql`bond.is_barred`)} as barred
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

/** Of the riders those who are absent, on leave or, on the way home, left early. */
async function readAway(ctx: UserContext, trips: readonly Trip[], riders: readonly Rider[], day: string) {
  const children = riders.flatMap(({ studentId }) => studentId ?? []);
  const left = trips.some(isHomeward) ? await leftOn(ctx, day, children) : [];
  return new Map<number, Text>([
    ...(await absentOn(ctx, day, children)).map(({ studentId, kind }) => [studentId, awayWords[kind]] as const),
    ...left.map(
      ({ studentId, leftAt, person, relation }) =>
        [studentId, text`left ${{ time: leftAt }} with ${{ person: relation.toLowerCase() || person }}`] as const,
    ),
  ]);
}

const isHomeward = ({ direction }: Trip) => direction === 'Drop';

/** Who may take the child from the bus, and in a line of their own those who must not. */
const collectWords = ({ collectors, barred }: Rider) =>
  [
    ...collectors.map(({ name, mobile }) => [name, mobile].filter(Boolean).join(', ')),
    ...(barred.length > 0 ? [`✗ ${barred.join(', ')}`] : []),
  ].join('\n');

async function print(ctx: UserContext, trips: readonly Trip[], day: string) {
  const tripIds = trips.map(({ id }) => id);
  const riders = await readRiders(ctx, tripIds, day);
  const away = await readAway(ctx, trips, riders, day);
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
    const rowOf = (rider: Rider, isHome: boolean) => {
      const { studentId, time, stop, name, section, photo, contact, alert } = rider;
      const picture = portraits.get(photo ?? '');
      const here = away.get(studentId ?? 0) ?? tickBox;
      const cells = [time, stop, picture ? { picture, name } : '', name, section ?? '', contact ?? '', alert];
      return [...cells, ...(isHome ? [collectWords(rider)] : []), here];
    };
    const byTrip = Map.groupBy(riders, ({ tripId }) => tripId);
    const paper: Manifests = {
      head: await ctx.readPaperHead(ctx),
      title: text`Riders of the trip`,
      trips: trips.map((trip) => ({
        facts: [
          [text`Route`, trip.route],
          [text`Time slot`, trip.slot],
          [text`Day`, showDate(day)],
          [text`Vehicle`, trip.bus ?? '–'],
          [text`Driver`, trip.driver ?? '–'],
          [text`Attendant`, trip.attendant ?? '–'],
          [text`Riders`, String(byTrip.get(trip.id)?.length ?? 0)],
        ],
        table: {
          heads: [
            ...[text`Time`, text`Stop`, text`Photo`, text`Name`, text`Section`, text`Call`, text`Alert`],
            ...(isHomeward(trip) ? [text`Collected by (✗ never by)`] : []),
            text`Here`,
          ],
          rows: (byTrip.get(trip.id) ?? []).map((rider) => rowOf(rider, isHomeward(trip))),
        },
      })),
      foot: text`Keep this list with the attendant and destroy it after the trip.`,
      made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
    };
    const bytes = await ctx.makePaper(manifests, paper, ctx.caller);
    return { mediaType: 'application/pdf', name: only ? `trip-${only.id}-${day}.pdf` : `trips-${day}.pdf`, bytes };
  });
}

/** The trip of an id in the user's branches. */
async function findTrip(ctx: UserContext, id: number, day: string): Promise<Trip> {
  const [trip] = await readTrips(ctx, day, sql<boolean>`trip.id = ${id}`);
  if (!trip) throw new AppError('not_found', notFoundMessage);
  return trip;
}

/** The same list on the screen, without photos and sections. */
export const tripRiders: Handler<typeof todayApi.riders> = async (ctx, { id, day }) => {
  const trip = await findTrip(ctx, id, day);
  const riders = await readRiders(ctx, [id], day);
  const away = await readAway(ctx, [trip], riders, day);
  return {
    riders: riders.map(({ studentId, time, stop, name, contact, alert, collectors, barred }, place) => ({
      key: `${place}`,
      name,
      isStaff: studentId === null,
      time,
      stop,
      contact: contact ?? '',
      alert,
      away: away.get(studentId ?? 0),
      collectors,
      barred,
    })),
  };
};

export const tripHistory: Handler<typeof todayApi.history> = async (ctx, asked) => {
  await findTrip(ctx, asked.id, toLocalDate(ctx.now()));
  return readHistory(ctx, 'transport_trip', asked);
};

export const manifest: Handler<typeof riderApi.manifest> = async (ctx, { id, day }) =>
  print(ctx, [await findTrip(ctx, id, day)], day);

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
