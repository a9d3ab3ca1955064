import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { formatNumber, namesAcademicYear, periodOf, type Reset, type YearNames } from '#kit/contract/numbering.ts';
import { text } from '#kit/contract/text.ts';
import { type Database, isDuplicate } from './database.ts';

/** The kind of a series, and the branch whose records it numbers; a branch without its own takes the school's. */
interface Numbered {
  code: string;
  branchId?: number | null | undefined;
}

/**
 * Formats the next number of a series; each period starts at 1. The series stays locked until the transaction ends, so
 * numbers neither repeat nor skip; call it as late as possible.
 */
export async function nextNumber(db: Database, numbered: Numbered, years: YearNames): Promise<string> {
  const [drawn] = await drawNumbers(db, numbered, years, 1);
  return drawn?.number ?? '';
}

export interface DrawnNumber {
  number: string;
  /** The name of the year it counts in; '' in a series that never restarts. */
  period: string;
  value: number;
}

/** As `nextNumber`, for several in a row. */
export async function drawNumbers(
  db: Database,
  { code, branchId = null }: Numbered,
  years: YearNames,
  count: number,
): Promise<DrawnNumber[]> {
  const series = await selectSeries(db, { code, branchId }).forUpdate().executeTakeFirstOrThrow();
  if (years.academicYear === '' && namesAcademicYear(series))
    throw new AppError('conflict', text`No academic year is current. Make one current in the Academic Master.`);
  const period = periodOf(series.reset_on as Reset, years);
  const { first } = await db
    .insertInto('number_series_value')
    .values({ series_id: series.id, period, next_value: count + 1, is_drawn: true })
    .onConflict((conflict) =>
      conflict
        .columns(['series_id', 'period'])
        .doUpdateSet({ next_value: sql`number_series_value.next_value + ${count}`, is_drawn: true }),
    )
    .returning(sql<number>`next_value - ${count}`.as('first'))
    .executeTakeFirstOrThrow();
  return Array.from({ length: count }, (_, index) => {
    const value = first + index;
    return { number: formatNumber(series, years, value), period, value };
  });
}

const selectSeries = (db: Database, { code, branchId = null }: Numbered) =>
  db
    .selectFrom('number_series')
    .where('code', '=', code)
    .where((one) => one.or([one('branch_id', 'is', null), one('branch_id', '=', branchId)]))
    .orderBy('branch_id', (by) => by.asc().nullsLast())
    .limit(1)
    .select(['id', 'prefix', 'pattern', 'reset_on']);

/** The number that a series gives next; without a lock, so another caller may draw it first. */
export async function peekNumber(db: Database, numbered: Numbered, years: YearNames): Promise<string> {
  const series = await selectSeries(db, numbered).executeTakeFirstOrThrow();
  const row = await db
    .selectFrom('number_series_value')
    .where('series_id', '=', series.id)
    .where('period', '=', periodOf(series.reset_on as Reset, years))
    .select('next_value')
    .executeTakeFirst();
  return formatNumber(series, years, row?.next_value ?? 1);
}

/**
 * For a document whose number violates `constraint`: with a changed prefix a series can repeat a number. Throws
 * `conflict`, and refuses new numbers until the series is changed.
 */
export const refusingRepeat = (constraint: string, number: string) => (error: unknown) => {
  if (!isDuplicate(error, constraint)) throw error;
  const message = text`Number ${{ number }} was already issued. Change its number series in Organizational Master.`;
  throw new AppError('conflict', message);
};
