import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { CountedYear, DashboardCard, TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Slot } from '../contract/register.ts';
import { lateOn } from './late.ts';
import { halfAt, lastLate, registerAddress } from './slot.ts';

const register = 'attendance/student-attendance';
const daily = 'attendance/daily-attendance';

/**
 * Registers that are due today and the marks of each section’s last one, in the sections that the user has by these sets;
 * undefined on a day without school.
 */
async function countToday(
  { db, now, user }: UserContext,
  year: CountedYear | undefined,
  sets: Parameters<typeof staff>,
) {
  const today = toLocalDate(now());
  if (!year || today < year.starts_on || today > year.ends_on) return undefined;
  const scope = inScope(user, [staff(...sets)], { branch: sql`section.branch_id`, section: sql`section.id` });
  const { rows } = await sql<{ sections: number; waiting: number; isOverdue: boolean; absent: number; late: number }>`
    with own as materialized (
      select section.id, last.id as register_id, (
          select count(*) from attendance_slots(section.id, ${today}, days.work) as slots
          where slots.half <= ${halfAt(now())} and not exists (select from attendance_register register
            where register.section_id = section.id and register.day = ${today} and register.half = slots.half)) as waiting,
        exists (select from attendance_slots(section.id, ${today}, days.work) as slots
          where slots.half <= ${lastLate(now())} and not exists (select from attendance_register register
            where register.section_id = section.id and register.day = ${today} and register.half = slots.half)) as is_overdue
      from academic_section section
      join academic_school_days(${year.id}, ${today}, ${today}) as days on days.grade_id = section.grade_id and days.work > 0
      left join lateral (select id from attendance_register register
        where register.section_id = section.id and register.day = ${today} order by register.half desc limit 1) as last on true
      -- By section: an \`exists\` would read the places of the whole school, in all years.
      cross join lateral (select from student_on(${today}) as there where there.section_id = section.id limit 1) as held
      where section.academic_year_id = ${year.id} and section.is_active and ${scope})
    select (select count(*)::integer from own) as sections,
      (select coalesce(sum(waiting), 0)::integer from own) as waiting,
      (select coalesce(bool_or(is_overdue), false) from own) as "isOverdue",
      coalesce(sum(kept.marks) filter (where code.kind = 'Absent'), 0)::integer as absent,
      (select count(*)::integer from (${lateOn(today)}) late join own on own.id = late.section_id) as late
    from own join attendance_count kept on kept.register_id = own.register_id
    join attendance_code code on code.id = kept.code_id`.execute(db);
  const [counts] = rows;
  return counts && counts.sections > 0 ? counts : undefined;
}

export const ownSectionCard: DashboardCard = {
  title: text`My section today`,
  roles: ['Staff'],
  sets: ['classTeacher'],
  count: async (ctx, year) => {
    const counts = await countToday(ctx, year, ['classTeacher']);
    if (!counts) return [];
    return [
      { label: text`Registers to take`, value: counts.waiting, to: register },
      { label: text`Absent`, value: counts.absent, to: register },
      { label: text`Late`, value: counts.late, to: register },
    ];
  },
};

export const schoolCard: DashboardCard = {
  title: text`The school today`,
  roles: ['Staff'],
  sets: ['office', 'principal'],
  count: async (ctx, year) => {
    const counts = await countToday(ctx, year, ['office', 'principal']);
    if (!counts) return [];
    return [
      { label: text`Registers not taken`, value: counts.waiting, isLate: counts.isOverdue, to: daily },
      { label: text`Absent`, value: counts.absent, to: `${daily}?show=absentees` },
      { label: text`Late`, value: counts.late, to: daily },
    ];
  },
};

const toTake = (slot: Slot, students: number) =>
  slot === 'Full day'
    ? text({ message: '{students, plural, one {# student} other {# students}}, register not taken' }, { students })
    : slot === 'Morning'
      ? text(
          { message: '{students, plural, one {# student} other {# students}}, morning register not taken' },
          { students },
        )
      : text(
          { message: '{students, plural, one {# student} other {# students}}, afternoon register not taken' },
          { students },
        );

/** The sections that the user leads, or whose register they take for another teacher today, and that lack a register of today, each with the first that is due. */
export const registerTodo: TodoSource = {
  kind: 'register',
  title: text`Registers to take`,
  icon: 'register',
  sets: ['classTeacher', 'substitute'],
  find: async ({ db, now, user }, most) => {
    const today = toLocalDate(now());
    // The students are counted for each section: an `exists` would read those of the whole school.
    const { rows } = await sql<{ id: number; name: string; slot: Slot; students: number }>`
      select section.id, academic_section_name(grade.name, section.name) as name, own.slot, held.students
      from academic_section section
      join academic_grade grade on grade.id = section.grade_id
      join academic_year year on year.id = section.academic_year_id and ${today}::date between year.starts_on and year.ends_on
      join academic_school_days(year.id, ${today}, ${today}) as days on days.grade_id = section.grade_id and days.work > 0
      cross join lateral (
        select slots.slot from attendance_slots(section.id, ${today}, days.work) as slots
        where slots.half <= ${halfAt(now())} and not exists (select from attendance_register register
          where register.section_id = section.id and register.day = ${today} and register.half = slots.half)
        order by slots.half limit 1) as own
      cross join lateral (
        select count(*)::integer as students from student_on(${today}) there where there.section_id = section.id) as held
      where section.id = any(${[...user.scope.led, ...user.scope.covered]}::integer[]) and section.is_active and held.students > 0
      order by grade.position, lower(section.name)`.execute(db);
    return {
      total: rows.length,
      to: register,
      rows: rows.slice(0, most).map(({ id, name, slot, students }) => ({
        id,
        when: 'today',
        title: name,
        about: '',
        detail: toTake(slot, students),
        to: registerAddress(id, slot),
        act: text`Take register`,
      })),
    };
  },
};
