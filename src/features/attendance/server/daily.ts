import { sql } from 'kysely';
import { inScope, reachesBranch } from '#access/server/scope.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { contactsOf, studentsByNumber } from '#features/student/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type Daily, type DailySection, dailyAccess, type dailyApi } from '../contract/daily.ts';
import type { Slot } from '../contract/register.ts';
import { clockOf } from './clock.ts';
import { listExits } from './exit.ts';
import { lateOn } from './late.ts';
import { halfAt, lastDue, slotFact } from './slot.ts';
import { tellFamilies } from './tell-families.ts';

/** The school's registers on a day. */
export const readDaily: Handler<typeof dailyApi.read> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const day = asked.day || today;
  const sections = await listSections(ctx, day);
  const head = { today, day, seesChildren: isGranted(dailyAccess, ctx.user) };
  if (sections.length === 0) {
    const closedFor = await closedOn(ctx, day);
    return { ...head, closedFor, sections: [], absentees: [], late: [], left: await listExits(ctx, day) };
  }
  const absentees = await listAbsentees(ctx, day);
  const late = await listLate(ctx, day);
  const left = await listExits(ctx, day);
  return { ...head, closedFor: '', sections, absentees, late, left };
};

const isSeen = (user: UserContext['user']) => inScope(user, dailyAccess, { branch: sql`section.branch_id` });

/** The sections with students that have school on this day. */
async function listSections({ db, now, user }: UserContext, day: string): Promise<DailySection[]> {
  const { rows } = await sql<DailySection>`
    with strength as materialized (
      select section_id, count(*)::integer as students from student_on(${day}) as there where section_id is not null group by section_id),
    taken as materialized (
      select register.id from strength join attendance_register register on register.section_id = strength.section_id
        and register.day = ${day}),
    percent as materialized (
      select section_id, attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) as per_mille
      from attendance_counted_register where register_id = any(array(select id from taken)) group by section_id),
    counts as materialized (
      select own.register_id, (sum(own.marks) filter (where code.kind in ('Present', 'Half day', 'On duty')))::integer as present,
        (sum(own.marks) filter (where code.kind = 'Absent'))::integer as absent,
        (sum(own.marks) filter (where code.kind = 'Leave'))::integer as leave
      from attendance_count own join attendance_code code on code.id = own.code_id
      where own.register_id = any(array(select id from taken)) group by own.register_id),
    late as materialized (select section_id, count(*)::integer as students from (${lateOn(day)}) own group by section_id)
    select section.id, academic_section_name(grade.name, section.name) as name, coalesce(teacher.name, '') as teacher,
      strength.students as strength, own.registers,
      coalesce(counts.present, 0) as present, coalesce(counts.absent, 0) as absent, coalesce(late.students, 0) as late,
      coalesce(counts.leave, 0) as leave, percent.per_mille as "perMille"
    from academic_year year
    join academic_section section on section.academic_year_id = year.id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    join academic_school_days(year.id, ${day}, ${day}) as today on today.grade_id = section.grade_id and today.work > 0
    join strength on strength.section_id = section.id
    left join staff teacher on teacher.id = academic_class_teacher(section.id, ${day})
    cross join lateral (
      select json_agg(json_build_object('slot', slots.slot, 'takenAt', register.taken_at, 'takenBy', coalesce(taker.name, ''),
          'isDue', slots.half <= ${lastDue(now(), day, toLocalDate(now()))}::integer) order by slots.half) as registers,
        max(register.half) as last
      from attendance_slots(section.id, ${day}, today.work) as slots
      left join attendance_register register on register.section_id = section.id and register.day = ${day}
        and register.half = slots.half
      left join staff taker on taker.id = register.taken_by) as own
    left join attendance_register register on register.section_id = section.id and register.day = ${day}
      and register.half = own.last
    left join counts on counts.register_id = register.id
    left join percent on percent.section_id = section.id
    left join late on late.section_id = section.id
    where ${day}::date between year.starts_on and year.ends_on and ${isSeen(user)}
    order by grade.position, lower(section.name), section.id`.execute(db);
  return rows.map(({ registers, ...row }) => ({
    ...row,
    registers: registers.map((one) => ({ ...one, takenAt: one.takenAt && new Date(one.takenAt).toISOString() })),
  }));
}

/** What the calendar calls a day on which no section has school. */
async function closedOn({ db }: UserContext, day: string): Promise<string> {
  const { rows } = await sql<{ what: string }>`
    select coalesce(nullif(days.name, ''), days.kind) as what
    from academic_year year cross join academic_school_days(year.id, ${day}, ${day}) as days
    where ${day}::date between year.starts_on and year.ends_on and days.grade_id is null and days.work = 0`.execute(db);
  return rows[0]?.what ?? '';
}

async function listAbsentees(ctx: UserContext, day: string): Promise<Daily['absentees']> {
  const { rows: absences } = await sql<Omit<Daily['absentees'][number], 'guardian' | 'mobile'>>`
    select student.id as "studentId", student.name, academic_section_name(grade.name, section.name) as section,
      case when count(*) over (partition by mark.student_id) > 1 then 'Full day' else register.slot end as slot,
      1 + (select count(distinct past.day)::integer from attendance_mark past join attendance_code own on own.id = past.code_id
        where past.academic_year_id = mark.academic_year_id and past.student_id = mark.student_id and own.kind = 'Absent'
          and past.day between ${addDays(day, -60)} and ${addDays(day, -1)} and not exists (
            select from attendance_mark later join attendance_code other on other.id = later.code_id
            where later.academic_year_id = mark.academic_year_id and later.student_id = mark.student_id
              and other.kind not in ('Absent', 'Leave') and later.day between past.day and ${addDays(day, -1)})) as days,
      coalesce(call.outcome, '') as outcome, coalesce(call.note, '') as note
    from attendance_register register
    join academic_section section on section.id = register.section_id
    join academic_grade grade on grade.id = section.grade_id
    join attendance_mark mark on mark.register_id = register.id
    join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
    join student on student.id = mark.student_id
    left join lateral (select outcome, note from attendance_call
      where student_id = mark.student_id and day = ${day} order by id desc limit 1) as call on true
    where register.day = ${day} and register.weight > 0 and ${isSeen(ctx.user)}
    order by grade.position, section.name, student.sort_name limit 2000`.execute(ctx.db);
  const rows = [...new Map(absences.map((row) => [row.studentId, row])).values()];
  const mayCall = ctx.user.sets.some((set) => set === 'office' || set === 'principal');
  const contacts = mayCall
    ? await contactsOf(
        ctx,
        rows.map(({ studentId }) => studentId),
        'primary',
      )
    : [];
  const byChild = new Map(
    contacts.flatMap((adult) => adult.children.map(({ studentId }) => [studentId, adult] as const)),
  );
  return rows.map((row) => ({
    ...row,
    guardian: byChild.get(row.studentId)?.name ?? '',
    mobile: byChild.get(row.studentId)?.mobile ?? '',
  }));
}

async function listLate({ db, user }: UserContext, day: string): Promise<Daily['late']> {
  const { rows } = await sql<Daily['late'][number]>`
    select student.id as "studentId", student.name, academic_section_name(grade.name, section.name) as section,
      coalesce(to_char(late.arrived_at, 'HH24:MI'), '') as "arrivedAt", late.is_at_gate as "isAtGate", late.is_marked as "isMarked"
    from (${lateOn(day)}) late
    join student on student.id = late.student_id
    join academic_section section on section.id = late.section_id
    join academic_grade grade on grade.id = section.grade_id
    where ${isSeen(user)}
    order by late.arrived_at desc nulls last, student.sort_name limit 2000`.execute(db);
  return rows;
}

const field = 'number';
const noneFound = text`No student here today has this number. Type a GR number, or section and roll number, such as 5B 17.`;
const severalFound = text`Several students have this number. Type section and roll number, such as 5B 17.`;

/** Enters a late arrival; the register shows it before it is taken, and is changed if the child was marked absent. */
export const enterGate: Handler<typeof dailyApi.enter> = async (ctx, { number }) => {
  const today = toLocalDate(ctx.now());
  const found = (await studentsByNumber(ctx, number, today)).filter(({ branchId }) =>
    reachesBranch(ctx.user, branchId),
  );
  const [student, other] = found;
  if (!student) throw fieldRefusal(field, noneFound);
  if (other) throw fieldRefusal(field, severalFound);
  const { studentId, name, section, academicYearId } = student;
  await lockYearForShare(ctx, academicYearId);
  const arrivedAt = clockOf(ctx.now());
  // After noon the morning's absence is kept.
  const { rows: marks } = await sql<{ registerId: number; slot: Slot; kind: string; code: string; isLocked: boolean }>`
    select register.id as "registerId", register.slot, code.kind, code.name as code, register.locks_at <= school_now() as "isLocked"
    from attendance_mark mark
    join attendance_register register on register.id = mark.register_id
    join attendance_code code on code.id = mark.code_id
    where mark.academic_year_id = ${academicYearId} and mark.student_id = ${studentId} and mark.day = ${today}
      and register.slot in ('Full day', ${halfAt(ctx.now()) === 1 ? 'Morning' : 'Afternoon'})
    for update of register`.execute(ctx.db);
  const [mark] = marks;
  if (mark && (mark.kind !== 'Absent' || mark.isLocked))
    throw fieldRefusal(field, text`${{ name }} is marked as ${{ code: mark.code }} today.`);
  const { rows: entered } = await sql`
    insert into attendance_gate (academic_year_id, student_id, day, arrived_at, entered_by, entered_at)
    values (${academicYearId}, ${studentId}, ${today}, ${arrivedAt}, ${ctx.user.staffId}, ${ctx.now()})
    on conflict do nothing returning student_id`.execute(ctx.db);
  if (entered.length === 0 && !mark) throw fieldRefusal(field, text`${{ name }} is entered already.`);
  if (mark) {
    const { rows: changed } = await sql`
      with late as (select id from attendance_code where kind = 'Late' and is_active order by position limit 1)
      update attendance_mark set code_id = late.id, arrived_at = ${arrivedAt}
      from late where register_id = ${mark.registerId} and student_id = ${studentId} returning student_id`.execute(
      ctx.db,
    );
    if (changed.length === 0) throw new AppError('conflict', text`No active attendance code means late.`);
    await sql`update attendance_register set version = version + 1 where id = ${mark.registerId}`.execute(ctx.db);
    const late = { studentId, kind: 'Late', isTold: true } as const;
    await tellFamilies(ctx, { yearId: academicYearId, day: today }, [late]);
  }
  const from = mark && { ...slotFact(mark.slot), from: mark.code };
  const details = { section, day: today, arrived: arrivedAt, ...from };
  await audit(ctx, { action: 'attendance.gate-entered', entity: 'student', entityId: studentId, details });
  return { name, section, arrivedAt };
};
