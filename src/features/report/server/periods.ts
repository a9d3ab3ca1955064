import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage, problemMessage } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Period } from '../contract/report.ts';

/** An academic year of a person at the school. */
export interface Span {
  yearId: number;
  year: string;
  startsOn: string;
  endsOn: string;
  /** The person's first and last day in it. */
  from: string;
  to: string;
  /** The person left within it. */
  hasLeft: boolean;
}

const least = (...days: string[]) => days.toSorted()[0] ?? '';
const greatest = (...days: string[]) => days.toSorted().at(-1) ?? '';

/** The years of a student's enrolments, the latest first. */
export async function spansOfStudent({ db }: UserContext, id: number): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select year.id as "yearId", year.name as year, year.starts_on as "startsOn", year.ends_on as "endsOn",
      min(enrollment.joined_on)::text as from, least(max(coalesce(enrollment.left_on, year.ends_on)), year.ends_on)::text as to,
      bool_and(enrollment.left_on is not null) and max(enrollment.left_on) < year.ends_on as "hasLeft"
    from student_enrollment enrollment join academic_year year on year.id = enrollment.academic_year_id
    where enrollment.student_id = ${id} and enrollment.status <> 'Cancelled'
    group by year.id order by year.starts_on desc`.execute(db);
  return rows;
}

/** The years in which a person worked here, the latest first. */
export async function spansOfStaff({ db }: UserContext, id: number): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select year.id as "yearId", year.name as year, year.starts_on as "startsOn", year.ends_on as "endsOn",
      greatest(min(spell.joined_on), year.starts_on)::text as from,
      least(max(coalesce(spell.last_day, year.ends_on)), year.ends_on)::text as to,
      bool_and(spell.last_day is not null) and max(spell.last_day) < year.ends_on as "hasLeft"
    from staff_employment spell
    join academic_year year on year.ends_on >= spell.joined_on and year.starts_on <= coalesce(spell.last_day, 'infinity')
    where spell.staff_id = ${id}
    group by year.id order by year.starts_on desc`.execute(db);
  return rows;
}

/** The year of today, else the last one before, else the first one to come. */
const mainOf = (spans: readonly Span[], today: string) =>
  spans.find(({ startsOn, endsOn }) => startsOn <= today && today <= endsOn) ??
  spans.find(({ startsOn }) => startsOn <= today) ??
  spans.at(-1);

const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`;
const lastOfMonth = (day: string) => {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/** What a report can be of: this month, this term, this year, and each earlier year. */
export async function periodsOf({ db, now }: UserContext, spans: readonly Span[]): Promise<Period[]> {
  const today = toLocalDate(now());
  const main = mainOf(spans, today);
  if (!main) return [];
  const day = greatest(least(today, main.to), main.from);
  const term = await db
    .selectFrom('academic_term')
    .where('academic_year_id', '=', main.yearId)
    .where('is_active', '=', true)
    .where('starts_on', '<=', day)
    .where('ends_on', '>=', day)
    .select(['name', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  const isNow = main.from <= today && today <= main.to;
  const labelled = (key: string, label: Text, from: string, to: string) => ({ key, label, from, to });
  return [
    labelled('year', isNow ? text`This year` : verbatim(main.year), main.startsOn, main.endsOn),
    ...(term ? [labelled('term', isNow ? text`This term` : verbatim(term.name), term.starts_on, term.ends_on)] : []),
    labelled(
      'month',
      isNow ? text`This month` : verbatim(showDate(day).slice(2).trim()),
      greatest(firstOfMonth(day), main.startsOn),
      least(lastOfMonth(day), main.endsOn),
    ),
    ...spans
      .filter((span) => span !== main && span.startsOn < main.startsOn)
      .map((span) => labelled(`year-${span.yearId}`, verbatim(span.year), span.startsOn, span.endsOn)),
  ];
}

export interface Chosen {
  /** The days that were asked for, within one academic year. */
  asked: { from: string; to: string };
  /** Those of them on which the person was here: what cards count. */
  counted: { from: string; to: string };
  span: Span;
}

/**
 * The days of a report, by default those of the present or last year. Throws `not_found` for a year in which the person
 * was not here, and `invalid` for days of two years.
 */
export function choosePeriod(
  ctx: UserContext,
  spans: readonly Span[],
  { from, to }: { from: string; to: string },
): Chosen {
  const main = mainOf(spans, toLocalDate(ctx.now()));
  if (!main) throw new AppError('not_found', notFoundMessage);
  const [first, last] = [
    from || (to ? (spans.find((span) => span.startsOn <= to)?.startsOn ?? to) : main.startsOn),
    to,
  ];
  const until = last || spans.find((span) => span.startsOn <= first)?.endsOn || main.endsOn;
  if (first > until)
    throw new AppError('invalid', problemMessage, {
      fields: { to: text`Choose a day from ${{ day: showDate(first) }}.` },
    });
  const span = spans.find(({ startsOn, endsOn }) => startsOn <= first && first <= endsOn);
  if (!span) throw new AppError('not_found', notFoundMessage);
  if (until > span.endsOn)
    throw new AppError('invalid', problemMessage, { fields: { to: text`Choose days of one academic year.` } });
  const counted = { from: greatest(first, span.from), to: least(until, span.to) };
  // Days before the first or after the last day: the card counts none, and must not turn them around.
  const isHere = counted.from <= counted.to;
  return { asked: { from: first, to: until }, counted: isHere ? counted : { from: first, to: until }, span };
}
