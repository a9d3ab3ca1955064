import { sql } from 'kysely';
import { transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { absentOn, leftOn } from '#features/attendance/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Paper, sheet } from '#kit/server/paper/paper.ts';
import { readPortraits } from '#kit/server/paper/portraits.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { riderApi } from '../contract/rider.ts';

interface Rider {
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

export const manifest: Handler<typeof riderApi.manifest> = async (ctx, { id, day }) => {
  const { db, user } = ctx;
  const { rows: found } = await sql<{
    route: string;
    slot: string;
    bus: string | null;
    driver: string | null;
    attendant: string | null;
    direction: string;
  }>`
    select route.name as route, slot.name as slot, vehicle.fleet_no || ', ' || vehicle.registration_no as bus,
      driver.name as driver, attendant.name as attendant, trip.direction
    from transport_trip trip
    join transport_route route on route.id = trip.route_id
    join transport_time_slot slot on slot.id = trip.time_slot_id
    left join transport_duty duty on duty.trip_id = trip.id
      and ${day}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    left join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    left join transport_crew drives on drives.id = duty.driver_id left join staff driver on driver.id = drives.staff_id
    left join transport_crew helps on helps.id = duty.attendant_id left join staff attendant on attendant.id = helps.staff_id
    where trip.id = ${id} and ${inScope(user, transportReaders, { branch: sql`route.branch_id` })}`.execute(db);
  const [trip] = found;
  if (!trip) throw new AppError('not_found', notFoundMessage);
  const { rows: riders } = await sql<Rider>`
    select student.id as "studentId", stop.seq, transport_time(${id}, ride.stop_id, ${day}) as time, place.name as stop,
      coalesce(student.name, staff.name) as name, academic_section_name(grade.name, section.name) as section,
      student.photo_id as photo, coalesce((select concat_ws(', ', name, nullif(mobile, '')) from student_contact
        where student_id = student.id), staff.mobile) as contact, coalesce(student.alert, '') as alert
    from (
      select student_id, staff_id, case when pickup_trip_id = ${id} then pickup_stop_id else drop_stop_id end as stop_id
      from transport_assignment where (pickup_trip_id = ${id} or drop_trip_id = ${id})
        and ${day}::date between effective_from and coalesce(effective_to, 'infinity')) as ride
    join transport_trip trip on trip.id = ${id}
    join transport_route_plan plan on plan.route_id = trip.route_id
      and ${day}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')
    join transport_route_stop stop on stop.plan_id = plan.id and stop.stop_id = ride.stop_id
    join transport_stop place on place.id = ride.stop_id
    left join student on student.id = ride.student_id
    left join staff on staff.id = ride.staff_id
    left join student_on(${day}) there on there.student_id = student.id
    left join academic_grade grade on grade.id = there.grade_id
    left join academic_section section on section.id = there.section_id
    order by stop.seq, student.sort_name nulls last, name`.execute(db);
  const children = riders.flatMap(({ studentId }) => studentId ?? []);
  const left = trip.direction === 'Drop' ? await leftOn(ctx, day, children) : [];
  const away = new Map<number, Text>([
    ...(await absentOn(ctx, day, children)).map(({ studentId, kind }) => [studentId, awayWords[kind]] as const),
    ...left.map(
      ({ studentId, leftAt, person, relation }) =>
        [studentId, text`left ${{ time: leftAt }} with ${{ person: relation.toLowerCase() || person }}`] as const,
    ),
  ]);
  const act = {
    action: 'transport-trip.manifest-printed',
    entity: 'transport_trip',
    entityId: id,
    details: { Day: showDate(day), Riders: riders.length },
    names: riders.length,
  };
  return takeNames(ctx, act, async () => {
    const head = await ctx.readPaperHead(ctx);
    const portraits = await readPortraits(
      ctx,
      riders.flatMap(({ photo }) => photo ?? []),
    );
    const paper: Paper = {
      head,
      title: text`Riders of the trip`,
      facts: [
        [text`Route`, trip.route],
        [text`Time slot`, trip.slot],
        [text`Day`, showDate(day)],
        [text`Vehicle`, trip.bus ?? '–'],
        [text`Driver`, trip.driver ?? '–'],
        [text`Attendant`, trip.attendant ?? '–'],
        [text`Riders`, String(riders.length)],
      ],
      table: {
        heads: [text`Time`, text`Stop`, text`Photo`, text`Name`, text`Section`, text`Call`, text`Alert`, text`Here`],
        rows: riders.map(({ studentId, time, stop, name, section, photo, contact, alert }) => {
          const picture = portraits.get(photo ?? '');
          const here = away.get(studentId ?? 0) ?? tickBox;
          return [time, stop, picture ? { picture, name } : '', name, section ?? '', contact ?? '', alert, here];
        }),
      },
      foot: text`Keep this list with the attendant and destroy it after the trip.`,
      made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: user.name }}`,
      signatures: [],
    };
    const bytes = await ctx.makePaper(sheet, paper, ctx.caller);
    return { mediaType: 'application/pdf', name: `trip-${id}-${day}.pdf`, bytes };
  });
};
