import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { CalendarDay, DayKind } from './contract/calendar.ts';
import { daysBetween } from './contract/working-days.ts';

type Entry = [kind: DayKind, name: string, from: string, to?: string];

/** A school in Gujarat; days that go by the moon are about right. */
const entries: Entry[] = [
  ['Holiday', 'Muharram', '2026-06-26'],
  ['Holiday', 'Independence Day', '2026-08-15'],
  ['Holiday', 'Raksha Bandhan', '2026-08-28'],
  ['Holiday', 'Janmashtami', '2026-09-04'],
  ['Holiday', 'Ganesh Chaturthi', '2026-09-14'],
  ['Holiday', 'Gandhi Jayanti', '2026-10-02'],
  ['Exam day', 'Half-yearly exam', '2026-10-05', '2026-10-09'],
  ['Exam day', 'Half-yearly exam', '2026-10-12', '2026-10-16'],
  ['Holiday', 'Dussehra', '2026-10-20'],
  ['Vacation', 'Diwali vacation', '2026-11-02', '2026-11-15'],
  ['Holiday', 'Guru Nanak Jayanti', '2026-11-24'],
  ['Working day', 'In place of 3 November', '2026-11-28'],
  ['Half day', 'Sports day', '2026-12-18'],
  ['Holiday', 'Christmas', '2026-12-25'],
  ['Holiday', 'Uttarayan', '2027-01-14'],
  ['Holiday', 'Republic Day', '2027-01-26'],
  ['Holiday', 'Maha Shivaratri', '2027-03-06'],
  ['Holiday', 'Dhuleti', '2027-03-22'],
  ['Holiday', 'Good Friday', '2027-03-26'],
  ['Exam day', 'Annual exam', '2027-04-05', '2027-04-09'],
  ['Vacation', 'Summer vacation', '2027-05-03', '2027-05-31'],

  ['Holiday', 'Raksha Bandhan', '2027-08-17'],
  ['Holiday', 'Janmashtami', '2027-08-25'],
  ['Holiday', 'Ganesh Chaturthi', '2027-09-04'],
  ['Holiday', 'Gandhi Jayanti', '2027-10-02'],
  ['Holiday', 'Dussehra', '2027-10-09'],
  ['Vacation', 'Diwali vacation', '2027-10-25', '2027-11-07'],
  ['Holiday', 'Christmas', '2027-12-25'],
  ['Holiday', 'Uttarayan', '2028-01-14'],
  ['Holiday', 'Republic Day', '2028-01-26'],
  ['Holiday', 'Maha Shivaratri', '2028-02-23'],
  ['Holiday', 'Dhuleti', '2028-03-11'],
  ['Holiday', 'Good Friday', '2028-04-14'],
  ['Vacation', 'Summer vacation', '2028-05-01', '2028-05-31'],
];

interface Year {
  id: number;
  starts_on: string;
  ends_on: string;
}

/** The terms and the calendar of each academic year. */
export async function seed({ db }: Context) {
  const years = await db.selectFrom('academic_year').select(['id', 'starts_on', 'ends_on']).execute();
  await seedTerms(db, years);
  await seedCalendars(db, years);
}

async function seedTerms(db: Database, years: Year[]) {
  const terms = years.flatMap(({ id, starts_on, ends_on }) => {
    const year = Number(starts_on.slice(0, 4));
    return [
      { academic_year_id: id, name: 'First term', starts_on, ends_on: `${year}-10-31` },
      { academic_year_id: id, name: 'Second term', starts_on: `${year}-11-01`, ends_on },
    ];
  });
  await db.insertInto('academic_term').values(terms).execute();
}

/** Sundays, every second and fourth Saturday and the holidays of each year are off. */
async function seedCalendars(db: Database, years: Year[]) {
  await db
    .insertInto('academic_calendar')
    .values(years.map(({ id }) => ({ academic_year_id: id, saturday: [2, 4] })))
    .execute();
  const days = entries.flatMap(([kind, name, from, to = from]) =>
    daysBetween(from, to).map((day): Omit<CalendarDay, 'gradeId'> => ({ day, kind, name })),
  );
  const daysOfYears = years.flatMap(({ id, starts_on, ends_on }) =>
    days.filter(({ day }) => day >= starts_on && day <= ends_on).map((day) => ({ ...day, academic_year_id: id })),
  );
  await db.insertInto('academic_calendar_day').values(daysOfYears).execute();
}
