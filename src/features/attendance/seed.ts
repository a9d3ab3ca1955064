import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { demoTeacherEmail } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { yearNames } from '#features/school/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';

/** A hundred thousand marks, which no later part reads. */
export const isMadeBeside = true;

/** Registers of the last school days until today, with two sections not taken today. */
export async function seed({ db }: Context, _app: FastifyInstance, { today: planned, random, registerDays }: SeedPlan) {
  // The database refuses registers of days to come, also where the demo's clock is ahead.
  const { rows: clock } = await sql<{ today: string }>`
    select least(${planned}::date, (school_now() at time zone 'Asia/Kolkata')::date)::text as today`.execute(db);
  const today = clock[0]?.today ?? planned;
  const seedNumber = random('attendance').upTo(1_000_000);
  // One transaction: marks of a register that is locked already are made together with it.
  await db.transaction().execute(async (db) => {
    const months = await listMonths(db, today, registerDays);
    for (const month of months) await takeRegisters(db, month, today);
    // Without them the rules of marks compare every mark with every register.
    await sql`select take_statistics('attendance_register'::regclass)`.execute(db);
    for (const month of months)
      for (const registers of await groupRegisters(db, month)) await markRegisters(db, registers, month, seedNumber);
    await sql`select take_statistics('attendance_mark'::regclass)`.execute(db);
    await sql`
      insert into attendance_gate (academic_year_id, student_id, day, arrived_at, entered_by, entered_at)
      select mark.academic_year_id, mark.student_id, mark.day, mark.arrived_at,
        (select min(id) from staff), (mark.day + mark.arrived_at) at time zone 'Asia/Kolkata'
      from attendance_mark mark where mark.arrived_at is not null and mark.day >= ${today}::date - 6`.execute(db);
    // Two of three families of today's absent children were called.
    await sql`
      insert into attendance_call (academic_year_id, student_id, day, outcome, note, called_by, called_at)
      select mark.academic_year_id, mark.student_id, mark.day,
        case mark.student_id % 3 when 0 then 'No answer' else 'Informed' end,
        case when mark.student_id % 6 = 1 then 'Fever since yesterday' else '' end,
        (select min(id) from staff), (mark.day + time '09:40') at time zone 'Asia/Kolkata'
      from attendance_mark mark join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
      where mark.day = ${today} and mark.student_id % 3 < 2 order by mark.student_id`.execute(db);
    await seedCorrections(db, today);
    await seedLeave(db, today);
  });
}

/** A child who is present today leaves early with an adult who may collect it. */
export async function finish(ctx: Context, _app: FastifyInstance, { today }: SeedPlan) {
  const { rows } = await sql<{ yearId: number; studentId: number; guardianId: number; staffId: number }>`
    select mark.academic_year_id as "yearId", mark.student_id as "studentId", adult.guardian_id as "guardianId", register.taken_by as "staffId"
    from attendance_mark mark
    join attendance_code code on code.id = mark.code_id and code.kind = 'Present'
    join attendance_register register on register.id = mark.register_id
    join student_on(${today}) as there on there.student_id = mark.student_id
    join student_guardian adult on adult.student_id = mark.student_id and adult.may_collect and not adult.is_barred
    where mark.day = ${today} order by mark.student_id, adult.contact_order, adult.id limit 1`.execute(ctx.db);
  for (const { yearId, studentId, guardianId, staffId } of rows)
    await ctx.db
      .insertInto('attendance_exit')
      .values({
        academic_year_id: yearId,
        student_id: studentId,
        day: today,
        left_at: '11:20',
        reason: 'Dentist',
        guardian_id: guardianId,
        pass_no: await nextNumber(ctx.db, { code: 'gate-pass' }, await yearNames(ctx)),
        entered_by: staffId,
        entered_at: sql`(${today}::date + time '11:20') at time zone 'Asia/Kolkata'`,
      })
      .execute();
}

interface Month {
  yearId: number;
  first: string;
  last: string;
  /** The days on which a holiday of a grade begins. */
  holidays: { day: string; gradeId: number }[];
}

/** The months until today, in the order of time: of the current year, or so many school days back into the year before. */
async function listMonths(db: Context['db'], today: string, registerDays: number | undefined): Promise<Month[]> {
  const { rows } = await sql<Month>`
    with year as materialized (select id, status, starts_on, least(ends_on, ${today}) as ends_on from academic_year
        where starts_on <= ${today}),
    begin as (select coalesce(
      (select min(day) from (select days.day from year, academic_school_days(year.id, year.starts_on, year.ends_on) as days
        where days.grade_id is null and days.work > 0 order by days.day desc limit ${registerDays ?? 0}) as worked),
      (select starts_on from year where id = academic_year_on(${today}::date))) as day),
    months as (
      select year.id, greatest(month::date, year.starts_on, begin.day) as first,
        least((month + interval '1 month - 1 day')::date, year.ends_on) as last
      from year, begin,
        generate_series(date_trunc('month', year.starts_on::timestamp), year.ends_on::timestamp, interval '1 month') as month)
    select id as "yearId", first::text, last::text, coalesce((
      select json_agg(json_build_object('day', days.day, 'gradeId', days.grade_id))
      from academic_school_days(id, first, last + 1) as days
      where days.kind in ('Holiday', 'Vacation') and days.grade_id is not null), '[]') as holidays
    from months where first <= last order by first`.execute(db);
  return rows;
}

/** The registers of a month; a year of them would take longer than a statement may. */
const takeRegisters = (db: Context['db'], { yearId, first, last }: Month, today: string) =>
  sql`
      with days as materialized (
        select school.day, school.grade_id, lead(school.day) over (partition by school.grade_id order by school.day) as next_day
        from academic_year year, academic_school_days(year.id, ${first}, least(year.ends_on, ${last}::date + 90)) as school
        where year.id = ${yearId} and school.work > 0 and school.grade_id is not null),
      waiting as (
        select own.section_id from academic_section_teacher own join staff on staff.id = own.staff_id
        where staff.email = ${demoTeacherEmail} and own.role = 'Class teacher' and ${today}::date >= own.effective_from
        union all (select max(id) from academic_section where academic_year_id = ${yearId}))
      insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day, taken_by, taken_at, locks_at)
      select section.academic_year_id, section.branch_id, section.program_id, section.grade_id, section.id, days.day,
        academic_class_teacher(section.id, days.day),
        (days.day + time '08:02' + make_interval(mins => (section.id * 7 + extract(day from days.day)::integer * 3) % 19))
          at time zone 'Asia/Kolkata',
        (coalesce(days.next_day, days.day + 3) + time '18:00') at time zone 'Asia/Kolkata'
      from academic_section section
      join days on days.grade_id = section.grade_id
      where section.academic_year_id = ${yearId} and section.is_active and days.day between ${first} and ${last}
        and not (days.day = ${today} and section.id in (select section_id from waiting))
        -- Now and then a register is forgotten.
        and (days.day >= ${today}::date - 2 or (section.id * 31 + extract(doy from days.day)::integer) % 331 <> 0)
      order by days.day, section.id`.execute(db);

/** Few enough registers for a statement's deadline, also on a slow machine. */
const mostRegisters = 200;

/** The registers of a month in groups of whole sections: rules of marks read each child of a statement once. */
async function groupRegisters(db: Context['db'], { first, last }: Month): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(id order by id) as ids from attendance_register where day between ${first} and ${last}
    group by section_id order by section_id`.execute(db);
  const groups: number[][] = [];
  for (const { ids } of rows) {
    const group = groups.at(-1);
    if (group && group.length + ids.length <= mostRegisters) group.push(...ids);
    else groups.push(ids);
  }
  return groups;
}

/**
 * The marks of some registers. Most children are nearly always there. One in twenty has spells of illness, one misses
 * Mondays and two are often late; one in sixty is often absent. Fridays of the monsoon and the day before a holiday are thin.
 */
const markRegisters = (db: Context['db'], registers: readonly number[], { holidays }: Month, seedNumber: number) =>
  sql`
  with placed as materialized (
    select own.section_id, own.student_id, greatest(own.effective_from, enrollment.joined_on) as first,
      least(coalesce(own.effective_to, 'infinity'), coalesce(enrollment.left_on, 'infinity')) as last
    from student_section own
    join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
    where own.section_id = any (array(
      select distinct section_id from attendance_register where id = any(${registers}::integer[])))),
  there as materialized (
    select register.id as register_id, register.academic_year_id, register.day, register.grade_id, own.student_id,
      ('x' || substr(md5(own.student_id || ' ' || register.day || ' ' || ${seedNumber}::text), 1, 7))::bit(28)::integer % 1000 as chance
    from attendance_register register
    join placed own on own.section_id = register.section_id and register.day between own.first and own.last
    where register.id = any(${registers}::integer[])),
  thin as materialized (
    select day, "gradeId" as grade_id from jsonb_to_recordset(${JSON.stringify(holidays)}::jsonb) as holiday (day date, "gradeId" integer)),
  marked as (
    select there.*, case
        when student_id % 20 = 0 and ((day - date '2020-01-01') + student_id * 13) / 4 % 11 = 0 then
          case when chance < 700 then 'ML' else 'A' end
        when student_id % 61 = 7 and chance < 290 then 'A'
        when student_id % 20 = 1 and extract(isodow from day) = 1 and chance < 350 then 'A'
        when student_id % 20 in (2, 3) and chance < 150 then 'L'
        when chance < 22 + case when extract(isodow from day) = 5 and extract(month from day) in (7, 8) then 50 else 0 end
          + case when exists (select from thin where thin.grade_id = there.grade_id and thin.day = there.day + 1) then 90 else 0 end
          then 'A'
        when chance between 940 and 957 then 'L'
        when chance between 958 and 964 then 'HD'
        when chance between 965 and 972 then 'LV'
        when chance between 973 and 976 then 'OD'
        else 'P' end as code
    from there)
  insert into attendance_mark (register_id, student_id, academic_year_id, day, half, code_id, arrived_at)
  select marked.register_id, marked.student_id, marked.academic_year_id, marked.day, 1, code.id,
    case when code.needs_time then time '08:06' + make_interval(mins => marked.chance % 47) end
  from marked join attendance_code code on code.code = marked.code
  order by marked.register_id, marked.student_id`.execute(db);

/** Nine approved corrections, two rejected and three that wait, of locked registers of the last weeks. */
const seedCorrections = (db: Context['db'], today: string) =>
  sql`
  with picked as materialized (
    select mark.register_id, mark.student_id, mark.code_id, register.branch_id, register.day, register.taken_by, own.code, number,
      academic_section_name(grade.name, section.name) as section
    from (select *, row_number() over (partition by code_id order by md5(student_id || ' ' || register_id)) as number
      from attendance_mark where day between ${today}::date - 40 and ${today}::date - 7) as mark
    join attendance_code own on own.id = mark.code_id and own.code in ('A', 'P')
    join attendance_register register on register.id = mark.register_id and register.taken_by is not null
    join academic_section section on section.id = register.section_id
    join academic_grade grade on grade.id = section.grade_id
    where number <= case own.code when 'A' then 5 else 9 end),
  wanted as materialized (
    select picked.*, absent.id as absent_id, absent.name as absent_name, present.id as present_id, present.name as present_name,
      case when picked.code = 'P' then 'Approved' when number <= 2 then 'Rejected' end as outcome
    from picked, attendance_code absent, attendance_code present where absent.code = 'A' and present.code = 'P'),
  corrected as (
    insert into attendance_correction (register_id, student_id, old_code_id, new_code_id, reason, outcome, applied_at)
    select register_id, student_id, absent_id, present_id, 'Was in the library during the roll call.', outcome,
      case outcome when 'Approved' then (day + 3 + time '11:00') at time zone 'Asia/Kolkata' end
    from wanted returning id, register_id, student_id)
  insert into approval (kind, attendance_correction_id, branch_id, student_id, title, reason, requested_by, requested_at, status,
    decided_by, decided_at, remark)
  select 'attendance.correction', corrected.id, branch_id, student_id, ${JSON.stringify(
    text`${{ section: '' }}, ${{ day: '' }}: ${{ from: '' }} to ${{ to: '' }}`,
  )}::jsonb || jsonb_build_object('values', jsonb_build_object('section', section,
      'day', to_char(day, 'FMDD Mon YYYY'), 'from', absent_name, 'to', present_name)),
    'Was in the library during the roll call.', taken_by, (day + 2 + time '09:30') at time zone 'Asia/Kolkata',
    coalesce(outcome, 'Pending'), case when outcome is not null then decider.staff_id end,
    case when outcome is not null then (day + 3 + time '11:00') at time zone 'Asia/Kolkata' end,
    case outcome when 'Rejected' then 'The librarian did not see the student.' else '' end
  from corrected join wanted using (register_id, student_id)
  cross join lateral (select staff_id from sign_in_account where sets && '{office,principal}' and staff_id <> taken_by
    order by cardinality(sets), id limit 1) decider`.execute(db);

/** The leave of children who were marked so in the last weeks, and six requests, four of them by families and two for five days. */
async function seedLeave(db: Context['db'], today: string) {
  await sql`
    insert into attendance_leave (academic_year_id, student_id, from_day, to_day, half, kind, reason, state, halves, counted,
      noted_by, noted_at)
    select mark.academic_year_id, mark.student_id, mark.day, mark.day,
      case when code.kind = 'Half day' then 'First half' else 'Whole day' end,
      case code.code when 'ML' then 'Sick' when 'OD' then 'Competition'
        else (array['Family', 'Religious', 'Other'])[1 + mark.student_id % 3] end,
      '', 'Granted', case when code.kind = 'Half day' then 1 else register.weight end,
      case when code.kind = 'Half day' then 1 else register.weight end, register.taken_by,
      (mark.day + time '07:30') at time zone 'Asia/Kolkata'
    from attendance_mark mark
    join attendance_register register on register.id = mark.register_id and register.taken_by is not null and register.weight > 0
    join attendance_code code on code.id = mark.code_id and code.kind in ('Leave', 'On duty', 'Half day')
    where mark.day between ${today}::date - 60 and ${today}
    order by md5(mark.student_id || ' ' || mark.day) limit 114`.execute(db);
  await sql`
    with ahead as materialized (
      select days.day, days.work, days.grade_id, row_number() over (partition by days.grade_id order by days.day) as number
      from academic_year year, academic_school_days(year.id, ${today}::date + 1, ${today}::date + 40) as days
      where year.id = academic_year_on(${today}::date) and days.work > 0 and days.grade_id is not null),
    picked as materialized (
      select there.student_id, there.academic_year_id, there.branch_id, there.grade_id,
        row_number() over (order by md5(there.student_id::text)) as number
      from student_on(${today}) there where there.section_id is not null
      order by number limit 6),
    noter as (select staff_id from sign_in_account where 'office' = any(sets) order by cardinality(sets), id limit 1),
    noted as (
      insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, reason, state, halves, counted,
        noted_by, asked_by_guardian_id, noted_at)
      select picked.academic_year_id, picked.student_id, min(ahead.day), max(ahead.day), 'Family', 'Wedding of a cousin.', 'Asked',
        sum(ahead.work), sum(ahead.work), case when adult.guardian_id is null then noter.staff_id end, adult.guardian_id, ${today}::date at time zone 'Asia/Kolkata'
      from picked join ahead on ahead.grade_id = picked.grade_id
        and ahead.number between picked.number and picked.number + case when picked.number > 4 then 4 else 0 end
      cross join noter
      left join student_guardian adult on adult.student_id = picked.student_id and adult.is_primary and picked.number <= 4
      group by picked.academic_year_id, picked.student_id, noter.staff_id, adult.guardian_id
      returning id, student_id, from_day, to_day, noted_by, asked_by_guardian_id, noted_at)
    insert into approval (kind, attendance_leave_id, branch_id, student_id, title, reason, requested_by, requested_by_guardian_id,
      requested_at)
    select 'attendance.leave', noted.id, picked.branch_id, noted.student_id, case when from_day = to_day
        then ${JSON.stringify(text`Leave on ${{ day: '' }}`)}::jsonb
        else ${JSON.stringify(text`Leave from ${{ from: '' }} until ${{ until: '' }}`)}::jsonb
      end || jsonb_build_object('values', jsonb_build_object('day', to_char(from_day, 'FMDD Mon YYYY'),
        'from', to_char(from_day, 'FMDD Mon YYYY'), 'until', to_char(to_day, 'FMDD Mon YYYY'))),
      'Wedding of a cousin.', noted_by, asked_by_guardian_id, noted_at
    from noted join picked using (student_id)`.execute(db);
}
