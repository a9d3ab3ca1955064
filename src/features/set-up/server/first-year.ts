import { sql } from 'kysely';
import { termMaster, yearMaster } from '#features/calendar/contract/masters.ts';
import { AppError } from '#kit/contract/errors.ts';
import { addDays } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { createEntered } from '#kit/server/master/create-all.ts';
import { type setUpApi, setUpMessages } from '../contract/set-up.ts';
import { setUp } from './set-up-from.ts';

/** Adds the first academic year. */
export const addFirstYear: Handler<typeof setUpApi.year> = async (ctx, { startsOn }) => {
  const { db } = ctx;
  // Of two first years at once the second one waits here, and is refused.
  await sql`lock table academic_year in share row exclusive mode`.execute(db);
  const there = await db.selectFrom('academic_year').where('is_active', '=', true).select('id').executeTakeFirst();
  if (there) throw new AppError('conflict', setUpMessages.hasYear);
  const start = Number(startsOn.slice(0, 4));
  const name = `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
  const endsOn = addDays(monthsLater(startsOn, 12), -1);
  const second = monthsLater(startsOn, 5);
  const [year] = await createEntered(ctx, yearMaster, [{ name, startsOn, endsOn, ageCutoffOn: startsOn }], setUp);
  const academicYearId = year?.id ?? 0;
  await createEntered(
    ctx,
    termMaster,
    [
      { academicYearId, name: 'First term', startsOn, endsOn: addDays(second, -1) },
      { academicYearId, name: 'Second term', startsOn: second, endsOn },
    ],
    setUp,
  );
  return { name };
};

/** The same day so many months later; the first of the month after where a month has no such day. */
function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, date)).toISOString().slice(0, 10);
}
