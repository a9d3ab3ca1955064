import { sql } from 'kysely';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { DayCell, OwnSection, ReadOwnSections } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Slot } from '../contract/register.ts';
import { registerTodo } from './dashboard-card.ts';
import { halfAt } from './slot.ts';

/** The school days that a section shows, and the days among which they are looked for. */
const mostDays = 10;
const searchedDays = 45;

interface Row extends Pick<OwnSection, 'id' | 'name' | 'work' | 'people' | 'days' | 'perMille'> {
  isLed: boolean;
  isSchoolDay: boolean;
  /** The next register to take today. */
  waiting: Slot | null;
  present: number;
  counted: number;
}

const notTaken: Record<Slot, Text> = {
  'Full day': text`Register not taken`,
  Morning: text`Morning register not taken`,
  Afternoon: text`Afternoon register not taken`,
};

/** The sections that the user leads or teaches today, with the attendance of the last school days. */
export const readOwnSections: ReadOwnSections = async ({ db, now, user }) => {
  const today = toLocalDate(now());
  const { led, taught } = user.scope;
  const { rows } = await sql<Row>`
    with own as materialized (
      select section.id, section.academic_year_id, section.grade_id, grade.position, lower(section.name) as place,
        academic_section_name(grade.name, section.name) as name
      from academic_section section join academic_grade grade on grade.id = section.grade_id
      where section.id = any(${[...led, ...taught]}::integer[]) and section.is_active),
    latest as (
      select own.id, own.academic_year_id, days.day, days.work, row_number() over (partition by own.id order by days.day desc) as place
      from own
      join academic_school_days(own.academic_year_id, ${addDays(today, -searchedDays)}, ${today}) as days
        on days.grade_id = own.grade_id and days.work > 0),
    day as materialized (
      select latest.id, latest.day, latest.work, counted.* from latest
      cross join lateral (select max(half) as half from attendance_register register
        where register.section_id = latest.id and register.day = latest.day) as last
      left join lateral (select sum(worth)::bigint as worth, sum(share)::bigint as share,
          (sum(own.counted) filter (where own.kind not in ('Absent', 'Leave') and own.half = last.half))::integer as present,
          (sum(own.counted) filter (where own.half = last.half))::integer as counted
        from attendance_counted_register own where own.section_id = latest.id and own.day = latest.day) as counted on true
      where latest.place <= ${mostDays})
    select own.id, own.name, own.id = any(${[...led]}::integer[]) as "isLed",
      coalesce((select string_agg(distinct coalesce(subject.name, mapped.role), ', ')
        from academic_section_teacher mapped left join configuration_subject subject on subject.id = mapped.subject_id
        where mapped.section_id = own.id and mapped.staff_id = ${user.staffId}
          and ${today}::date between mapped.effective_from and coalesce(mapped.effective_to, 'infinity')), '') as work,
      (select count(*)::integer from student_on(${today}) there where there.section_id = own.id) as people,
      coalesce((select jsonb_agg(attendance_per_mille(worth, share) order by day.day) from day
        where day.id = own.id), '[]') as days,
      (select attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) from day where day.id = own.id) as "perMille",
      exists (select from day where day.id = own.id and day.day = ${today}::date) as "isSchoolDay",
      (select slots.slot from day cross join lateral attendance_slots(own.id, day.day, day.work) as slots
        where day.id = own.id and day.day = ${today}::date and slots.half <= ${halfAt(now())}
          and not exists (select from attendance_register register
            where register.section_id = own.id and register.day = day.day and register.half = slots.half)
        order by slots.half limit 1) as waiting,
      coalesce((select present from day where day.id = own.id and day.day = ${today}::date), 0) as present,
      coalesce((select counted from day where day.id = own.id and day.day = ${today}::date), 0) as counted
    from own order by "isLed" desc, own.position, own.place`.execute(db);
  return rows.map(({ isLed, isSchoolDay, waiting, present, counted, ...section }) => ({
    ...section,
    ...(isLed && isSchoolDay && waiting && section.people > 0 && { isProblem: true }),
    state: !isSchoolDay
      ? text`No school today`
      : waiting
        ? notTaken[waiting]
        : text`${{ present }} of ${{ counted }} present`,
  }));
};

/** The registers that the user has to take, with the button that opens the first. */
export const registerCell: DayCell = {
  title: text`Registers to take`,
  roles: ['Staff'],
  sets: ['classTeacher'],
  act: text`Take register`,
  read: async (ctx) => {
    const { rows } = await registerTodo.find(ctx, 3);
    return rows.map(({ title, detail, to }) => ({
      words: typeof title === 'string' ? verbatim(title) : title,
      aside: detail,
      isProblem: true,
      to,
    }));
  },
};
