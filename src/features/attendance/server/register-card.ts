import { sql } from 'kysely';
import { reportCard } from '#features/staff/contract/cards.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { addDays, localTimeZone, toLocalDate } from '#kit/server/day.ts';

/** The school days of the sections that a person led, and when their registers were taken; today counts once it is taken. */
async function registersOf({ db, now }: UserContext, id: number, from: string, last: string) {
  const today = toLocalDate(now());
  const { rows } = await sql<{ days: number; onTime: number; later: number }>`
    with led as (
      select section.id as section_id, section.grade_id, year.id as year_id,
        greatest(own.effective_from, nullif(${from}::text, '')::date) as first,
        least(coalesce(own.effective_to, year.ends_on), ${last}::date) as last
      from academic_section_teacher own
      join academic_section section on section.id = own.section_id
      join academic_year year on year.id = own.academic_year_id
      where own.staff_id = ${id} and own.role = 'Class teacher')
    select count(*)::integer as days,
      count(*) filter (where taken.on_day = days.day)::integer as "onTime",
      count(*) filter (where taken.on_day > days.day)::integer as later
    from led
    join lateral academic_school_days(led.year_id, led.first, led.last) as days
      on days.grade_id = led.grade_id and days.work > 0
    -- Where there are two, the day is taken with the later one.
    left join lateral (select (max(least(register.created_at, register.taken_at)) at time zone ${localTimeZone})::date as on_day
      from attendance_register register
      where register.section_id = led.section_id and register.day = days.day
      having count(*) = (select count(*) from attendance_slots(led.section_id, days.day, days.work))) as taken on true
    where led.first <= led.last and (days.day < ${today}::date or taken.on_day is not null)`.execute(db);
  const { days, onTime, later } = rows[0] ?? { days: 0, onTime: 0, later: 0 };
  return { days, onTime, later, missing: days - onTime - later };
}

/** The registers of the own sections on each school day of a period. */
export const registersCard: ServedCard = {
  card: reportCard('register', 'school', 15, text`Registers on time`),
  read: async (ctx, id, { from, to }) => {
    const today = toLocalDate(ctx.now());
    const last = to !== '' && to < today ? to : today;
    const { days, onTime, later, missing } = await registersOf(ctx, id, from, last);
    return {
      asOf: days === 0 ? '' : last,
      facts:
        days === 0
          ? []
          : [
              { label: text`School days`, value: verbatim(String(days)) },
              {
                label: text`Taken on the day`,
                value: verbatim(`${onTime} (${((100 * onTime) / days).toFixed(1)} %)`),
              },
              { label: text`Taken later`, value: verbatim(String(later)) },
              { label: text`Not taken`, value: verbatim(String(missing)) },
            ],
      table: null,
      to: '',
      empty: text`No section of their own in these days.`,
    };
  },
  today: async (ctx, id) => {
    const today = toLocalDate(ctx.now());
    const { days, missing } = await registersOf(ctx, id, addDays(today, -30), today);
    if (days === 0) return undefined;
    return {
      label: text`Registers`,
      value: missing === 0 ? text`All taken` : text`${{ missing }} missing`,
      detail: text`in 30 days`,
      isLate: missing > 0,
    };
  },
};
