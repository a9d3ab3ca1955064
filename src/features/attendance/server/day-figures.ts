import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { showPercent } from '#kit/contract/money.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { CountedYear, DashboardChart, DayFigure } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { dailyAccess } from '../contract/daily.ts';
import { lastDue, lastLate } from './slot.ts';

const daily = 'attendance/daily-attendance';
const forSchool = { roles: ['Staff'], sets: ['office', 'principal'] } as const;
/** The school days of the chart, and the days among which they are looked for: Diwali is three weeks. */
const shownDays = 30;
const searchedDays = 70;

const isSeen = (user: UserContext['user']) => inScope(user, dailyAccess, { branch: sql`branch_id` });

/** The share of students present on the last school days with a register, oldest first, in hundredths of a percent. */
async function presentDays({ db, now, user }: UserContext, year: CountedYear, most: number) {
  const today = toLocalDate(now());
  const { rows } = await sql<{ day: string; share: number }>`
    select day, attendance_per_mille(sum(worth)::bigint, sum(share)::bigint) * 10 as share
    from attendance_counted_register
    where academic_year_id = ${year.id} and day between ${addDays(today, -searchedDays)}::date and ${today}::date
      and ${isSeen(user)}
    group by day order by day desc limit ${most}`.execute(db);
  return rows.toReversed();
}

export const presentFigure: DayFigure = {
  title: text`Present`,
  place: 10,
  ...forSchool,
  read: async (ctx, year) => {
    const [first, second] = year ? (await presentDays(ctx, year, 2)).toReversed() : [];
    if (first?.day !== toLocalDate(ctx.now())) return undefined;
    return {
      value: first.share,
      unit: 'percent',
      to: daily,
      ...(second && {
        before:
          second.day === addDays(first.day, -1)
            ? text`${{ share: showPercent(second.share) }} yesterday`
            : text`${{ share: showPercent(second.share) }} on ${{ day: showDate(second.day) }}`,
      }),
    };
  },
};

/** From this day of absence in a row on a child is counted. */
const longAbsence = 3;

/** Children absent today for the third day in a row or longer, beside those of the school day before. */
export const absentFigure: DayFigure = {
  title: text`Absent 3rd day`,
  place: 15,
  ...forSchool,
  read: async ({ db, now, user }, year) => {
    if (!year) return undefined;
    const today = toLocalDate(now());
    const { rows } = await sql<{ day: string; children: number }>`
      select shown.day, count(distinct mark.student_id) filter (where 1 + (
        select count(distinct past.day) from attendance_mark past join attendance_code own on own.id = past.code_id
        where past.academic_year_id = mark.academic_year_id and past.student_id = mark.student_id and own.kind = 'Absent'
          and past.day between shown.day - 60 and shown.day - 1 and not exists (
            select from attendance_mark later join attendance_code other on other.id = later.code_id
            where later.academic_year_id = mark.academic_year_id and later.student_id = mark.student_id
              and other.kind not in ('Absent', 'Leave') and later.day between past.day and shown.day - 1)
        ) >= ${longAbsence})::integer as children
      from (select distinct day from attendance_register
        where academic_year_id = ${year.id} and day between ${addDays(today, -searchedDays)}::date and ${today}::date
          and weight > 0 order by day desc limit 2) as shown
      join attendance_register register on register.day = shown.day and register.weight > 0
      join academic_section section on section.id = register.section_id
      left join (attendance_mark mark join attendance_code code on code.id = mark.code_id and code.kind = 'Absent')
        on mark.register_id = register.id
      where ${inScope(user, dailyAccess, { branch: sql`section.branch_id` })}
      group by 1 order by 1 desc`.execute(db);
    const [first, second] = rows;
    if (first?.day !== today) return undefined;
    return {
      value: first.children,
      unit: 'number',
      to: daily,
      ...(second && {
        before:
          second.day === addDays(today, -1)
            ? text`${{ children: second.children }} yesterday`
            : text`${{ children: second.children }} on ${{ day: showDate(second.day) }}`,
      }),
    };
  },
};

const lateWords = ([one = '', two, ...others]: string[]) =>
  others.length > 0
    ? text`Missing: ${{ one }}, ${{ two: two ?? '' }} and ${{ count: others.length }} more`
    : text`Missing: ${{ sections: [one, two].filter(Boolean).join(', ') }}`;

const notTakenWords = ([one = '', two, ...others]: string[]) =>
  others.length > 0
    ? text`Not taken yet: ${{ one }}, ${{ two: two ?? '' }} and ${{ count: others.length }} more`
    : text`Not taken yet: ${{ sections: [one, two].filter(Boolean).join(', ') }}`;

/** Registers due by now, of which some are taken; the sections whose register is late are named, else those without one. */
export const registersFigure: DayFigure = {
  title: text`Registers`,
  place: 20,
  ...forSchool,
  read: async ({ db, now, user }, year) => {
    if (!year) return undefined;
    const today = toLocalDate(now());
    const { rows } = await sql<{ due: number; taken: number; late: string[] | null; missing: string[] | null }>`
      with own as materialized (
        select academic_section_name(grade.name, section.name) as name, grade.position, lower(section.name) as place,
          count(*)::integer as due, count(register.id)::integer as taken,
          bool_or(register.id is null and slots.half <= ${lastLate(now())}) as is_late
        from academic_section section
        join academic_grade grade on grade.id = section.grade_id
        join academic_school_days(${year.id}, ${today}, ${today}) as days on days.grade_id = section.grade_id and days.work > 0
        cross join lateral attendance_slots(section.id, ${today}, days.work) as slots
        left join attendance_register register on register.section_id = section.id and register.day = ${today}
          and register.half = slots.half
        cross join lateral (select from student_on(${today}) as there where there.section_id = section.id limit 1) as held
        where section.academic_year_id = ${year.id} and section.is_active and slots.half <= ${lastDue(now(), today, today)}
          and ${inScope(user, dailyAccess, { branch: sql`section.branch_id` })}
        group by 1, 2, 3)
      select coalesce(sum(due), 0)::integer as due, coalesce(sum(taken), 0)::integer as taken,
        array_agg(name order by position, place) filter (where is_late) as late,
        array_agg(name order by position, place) filter (where taken < due) as missing from own`.execute(db);
    const { due, taken, late, missing } = rows[0] ?? { due: 0, taken: 0, late: null, missing: null };
    if (due === 0) return undefined;
    return {
      value: taken,
      unit: 'number',
      of: due,
      to: daily,
      ...(late ? { late: lateWords(late) } : missing && { before: notTakenWords(missing) }),
    };
  },
};

/** How much of the school was present, day by day. */
export const presentChart: DashboardChart = {
  title: text`Present, 30 school days`,
  place: 10,
  to: daily,
  ...forSchool,
  read: async (ctx, year) => {
    const days = year ? await presentDays(ctx, year, shownDays) : [];
    const last = days.at(-1);
    if (!last || days.length < 5) return undefined;
    const least = days.toSorted((one, other) => one.share - other.share)[0] ?? last;
    return {
      kind: 'line',
      says: text`${{ share: showPercent(last.share) }} on ${{ day: showDate(last.day, last.day) }}, lowest ${{ least: showPercent(least.share) }} on ${{ on: showDate(least.day, last.day) }}`,
      unit: 'percent',
      head: text`Day`,
      series: [{ label: text`Present`, tone: 'accent' }],
      points: days.map(({ day, share }) => ({
        label: verbatim(showDate(day).replace(/ \d{4}$/, '')),
        values: [share],
      })),
    };
  },
};
