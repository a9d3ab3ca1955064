import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { financialYearOf, type YearNames } from '#kit/contract/numbering.ts';
import type { Context } from '#kit/server/context.ts';
import { dayAt } from '#kit/server/day.ts';

export { byName, holdEnrollments, holdsOn, studentName } from './server/placing.ts';
export { readSchoolHead } from './server/school.ts';
export { dayOf } from './server/section.ts';

/** What today's years are called, for a number. A document of another academic year puts its own over it. */
export async function yearNames({ db, now }: Pick<Context, 'db' | 'now'>): Promise<YearNames> {
  const school = await db.selectFrom('academic_school').select('financial_year_month').executeTakeFirst();
  const year = await db.selectFrom('academic_year').where('status', '=', 'Current').select('name').executeTakeFirst();
  return {
    academicYear: year?.name ?? '',
    financialYear: financialYearOf(dayAt(now()), school?.financial_year_month ?? 4),
  };
}

/** An academic year, held against changes of it where `locks` says so; throws `not_found`. */
export async function readYear({ db }: Pick<Context, 'db'>, id: number, locks = false) {
  const query = db
    .selectFrom('academic_year')
    .where('id', '=', id)
    .select(['id', 'name', 'status', 'starts_on', 'ends_on']);
  const year = await (locks ? query.forUpdate() : query).executeTakeFirst();
  if (!year) throw new AppError('not_found', notFoundMessage);
  return year;
}

export const closedYearMessage = 'This academic year is closed. It can only be read.';

/** As `readYear`, held, for a change that a closed year does not take: throws `conflict`. */
export async function holdOpenYear(ctx: Pick<Context, 'db'>, id: number) {
  const year = await readYear(ctx, id, true);
  if (year.status === 'Closed') throw new AppError('conflict', closedYearMessage);
  return year;
}
