import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';

/** A meeting of one grade on the Saturday of next week that is open, of whose times more than half are booked. */
export async function seed({ db }: Context, _app: FastifyInstance, { today, random }: SeedPlan) {
  const day = addDays(today, 13 - new Date(`${today}T00:00:00Z`).getUTCDay());
  const number = random('meeting').upTo(1_000_000);
  await db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number }>`
      with chosen as (select section.grade_id, section.branch_id, section.academic_year_id from academic_section section
        join academic_grade grade on grade.id = section.grade_id
        where section.academic_year_id = academic_year_on(${day}::date) and section.is_active and grade.stage = 'Preparatory'
        group by section.grade_id, section.branch_id, section.academic_year_id, grade.position
        order by grade.position, section.branch_id limit 1)
      insert into meeting (academic_year_id, branch_id, name, day, minutes, gap, walk, books_until, is_apart, state)
      select academic_year_id, branch_id, 'Parent-teacher meeting', ${day}::date, 10, 0, 5, ${day}::date - 1, false, 'Open' from chosen
      returning id`.execute(db);
    const [meeting] = rows;
    if (!meeting) return;
    await sql`insert into meeting_section select ${meeting.id}::integer, section.id from meeting
      join academic_section section on section.branch_id = meeting.branch_id and section.academic_year_id = meeting.academic_year_id
      join academic_grade grade on grade.id = section.grade_id
      where meeting.id = ${meeting.id} and section.is_active and section.grade_id = (select min(other.grade_id)
        from academic_section other join academic_grade own on own.id = other.grade_id
        where other.academic_year_id = meeting.academic_year_id and other.branch_id = meeting.branch_id and own.stage = 'Preparatory'
          and other.is_active)`.execute(db);
    await sql`insert into meeting_host (meeting_id, staff_id, room_id, starts_at, ends_at)
      select ${meeting.id}::integer, one.staff_id, case when row_number() over (partition by one.room_id order by one.staff_id) = 1
        then one.room_id end, (${day}::date + time '09:00') at time zone 'Asia/Kolkata', (${day}::date + time '12:00') at time zone 'Asia/Kolkata'
      from (select own.staff_id, max(section.room_id) filter (where own.role = 'Class teacher') as room_id
        from meeting_section part join academic_section section on section.id = part.section_id
        join academic_section_teacher own on own.section_id = section.id
        where part.meeting_id = ${meeting.id} and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
        group by own.staff_id) as one`.execute(db);
    await sql`insert into meeting_slot (host_id, staff_id, starts_at, ends_at, leaves_at)
      select host.id, host.staff_id, start, start + interval '10 minutes', start + interval '15 minutes'
      from meeting_host host cross join generate_series(host.starts_at, host.ends_at - interval '10 minutes', interval '10 minutes') as start
      where host.meeting_id = ${meeting.id}`.execute(db);
    // Each child of a section has one time with its class teacher, as many as there are times.
    await sql`with child as (
        select pair.student_id, min(pair.guardian_id) as guardian_id, pair.section_id,
          row_number() over (partition by pair.section_id order by md5(pair.student_id || ' ' || ${number}::text)) as place
        from family_pairs(${today}) pair join meeting_section part on part.section_id = pair.section_id and part.meeting_id = ${meeting.id}
        group by pair.student_id, pair.section_id),
      free as (
        select slot.id, own.section_id, row_number() over (partition by slot.host_id order by slot.starts_at) as place
        from meeting_slot slot join meeting_host host on host.id = slot.host_id and host.meeting_id = ${meeting.id}
        join academic_section_teacher own on own.staff_id = host.staff_id and own.role = 'Class teacher'
          and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
        join meeting_section part on part.section_id = own.section_id and part.meeting_id = ${meeting.id})
      update meeting_slot set student_id = child.student_id, guardian_id = child.guardian_id, booked_at = school_now()
      from child join free on free.section_id = child.section_id and free.place = child.place + child.place / 4
      where meeting_slot.id = free.id`.execute(db);
  });
}
