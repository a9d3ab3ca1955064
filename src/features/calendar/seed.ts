import type { FastifyInstance } from 'fastify';
import { daysOfYear, type SeedPlan, startYearsOf } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import type { DayKind } from './contract/calendar.ts';
import { daysBetween, weekdayOf } from './contract/working-days.ts';

type Entry = [kind: DayKind, name: string, from: string, to?: string];

/**
 * The calendar of a school in Gujarat for the year that begins in June; holidays of the lunar calendar are approximate.
 */
function entriesOf(start: number): Entry[] {
  const next = start + 1;
  const diwali = diwaliOf(start);
  const festival = (days: number) => addDays(diwali, days);
  const saturday = weekdayFrom(`${start}-11-22`, 5); // The fourth Saturday, which is off in other months.
  return [
    ['Holiday', 'Independence Day', `${start}-08-15`],
    ['Holiday', 'Raksha Bandhan', festival(-72)],
    ['Holiday', 'Janmashtami', festival(-65)],
    ['Holiday', 'Ganesh Chaturthi', festival(-55)],
    ['Holiday', 'Gandhi Jayanti', `${start}-10-02`],
    ['Holiday', 'Dussehra', festival(-19)],
    ['Exam day', 'Half-yearly exam', weekdayFrom(`${start}-09-14`, 0), weekdayFrom(`${start}-09-18`, 4)],
    ['Vacation', 'Diwali vacation', festival(-6), festival(7)],
    ['Holiday', 'Guru Nanak Jayanti', festival(16)],
    ['Working day', 'In place of a day of the vacation', saturday],
    ['Half day', 'Sports day', weekdayFrom(`${start}-12-15`, 4)],
    ['Holiday', 'Christmas', `${start}-12-25`],
    ['Holiday', 'Uttarayan', `${next}-01-14`],
    ['Holiday', 'Republic Day', `${next}-01-26`],
    ['Holiday', 'Maha Shivaratri', festival(118)],
    ['Holiday', 'Dhuleti', festival(134)],
    ['Exam day', 'Annual exam', weekdayFrom(`${next}-04-05`, 0), weekdayFrom(`${next}-04-09`, 4)],
    ['Vacation', 'Summer vacation', weekdayFrom(`${next}-05-02`, 0), `${next}-05-31`],
  ];
}

/** The first day with this weekday (Monday is 0) on or after a day. */
const weekdayFrom = (day: string, weekday: number): string => addDays(day, (weekday - weekdayOf(day) + 7) % 7);

/** The new moon between mid-October and mid-November. */
function diwaliOf(year: number): string {
  const month = 29.530588 * 86_400_000;
  const aNewMoon = Date.UTC(2000, 0, 6, 18, 14);
  const from = Date.UTC(year, 9, 17);
  const moon = aNewMoon + Math.ceil((from - aNewMoon) / month) * month;
  return new Date(moon - 12 * 3_600_000).toISOString().slice(0, 10);
}

/** The academic years before the current one, and terms and calendar of every year. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  await seedYears(db, plan);
  const years = await db
    .selectFrom('academic_year')
    .select(['id', 'starts_on', 'ends_on'])
    .orderBy('starts_on')
    .execute();
  await seedTerms(db, years);
  await seedCalendars(db, years);
}

/** Past years refuse changes, so they are closed once all their data exists. */
export async function finish({ db }: Context, _app: FastifyInstance, { today }: SeedPlan) {
  const closed = await db
    .updateTable('academic_year')
    .set({ status: 'Closed' })
    .where('ends_on', '<', today)
    .where('status', '=', 'Open')
    .returning(['id', 'closed_by'])
    .execute();
  await insertRows(
    db,
    'year_event',
    closed.map(({ id, closed_by }) => ({ academic_year_id: id, kind: 'Closed', made_by: closed_by ?? 'Shala' })),
  );
}

const seedYears = (db: Database, plan: SeedPlan) =>
  insertRows(
    db,
    'academic_year',
    startYearsOf(plan)
      .slice(0, -1)
      .map((start) => ({
        ...daysOfYear(start),
        name: `${start}-${String(start + 1).slice(2)}`,
        age_cutoff_on: `${start}-06-01`,
      })),
  );

interface Year {
  id: number;
  starts_on: string;
  ends_on: string;
}

async function seedTerms(db: Database, years: Year[]) {
  const terms = years.flatMap(({ id, starts_on, ends_on }) => {
    const year = Number(starts_on.slice(0, 4));
    return [
      { academic_year_id: id, name: 'First term', starts_on, ends_on: `${year}-10-31` },
      { academic_year_id: id, name: 'Second term', starts_on: `${year}-11-01`, ends_on },
    ];
  });
  await insertRows(db, 'academic_term', terms);
}

/** Sundays, every second and fourth Saturday and the holidays of each year are off. */
async function seedCalendars(db: Database, years: Year[]) {
  await db
    .insertInto('academic_calendar')
    .values(years.map(({ id }) => ({ academic_year_id: id, saturday: [2, 4] })))
    .execute();
  const days = years.flatMap(({ id, starts_on }) => {
    const entries = entriesOf(Number(starts_on.slice(0, 4))).flatMap(([kind, name, from, to = from]) =>
      daysBetween(from, to).map((day) => ({ day, kind, name, academic_year_id: id })),
    );
    // If two entries share a day, the first is kept.
    return [...new Map(entries.reverse().map((entry) => [entry.day, entry])).values()];
  });
  await insertRows(db, 'academic_calendar_day', days);
}
