import { sql } from 'kysely';
import { yearNames } from '#features/school/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { hasLeft } from './contract/leaving.ts';

export { headOf } from './server/department.ts';
export { staffSelected } from './server/list.ts';
export { readReportedStaff, reportedStaffSource } from './server/reported.ts';
export { refuseReturning, staffMessages } from './server/returning.ts';
export { branchOn } from './server/visible.ts';

interface NewStaff extends Contact {
  name: string;
  gender?: string;
  /** The next of the series if missing. */
  employeeNumber?: string;
  /** Today if missing. */
  joinedOn?: string;
  /** The branch whose series gives the employee number. */
  branchId?: number | null;
}

/** Creates a member of staff with a spell of employment; returns the id. */
export async function addStaff(
  ctx: Context,
  { employeeNumber, joinedOn, branchId, ...person }: NewStaff,
): Promise<number> {
  const { db } = ctx;
  const employee_number = employeeNumber ?? (await nextFreeNumber(ctx, branchId));
  const { id } = await db
    .insertInto('staff')
    .values({ ...person, employee_number })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('staff_employment')
    .values({ staff_id: id, joined_on: joinedOn ?? toLocalDate(ctx.now()) })
    .execute();
  return id;
}

/** The next number of the series that nobody has: a number that was entered by hand may be ahead of it. */
async function nextFreeNumber(ctx: Context, branchId?: number | null): Promise<string> {
  const { db } = ctx;
  const years = await yearNames(ctx);
  for (;;) {
    const number = await nextNumber(db, { code: 'staff', branchId }, years);
    const taken = await db
      .selectFrom('staff')
      .where(sql`lower(employee_number)`, '=', number.toLowerCase())
      .select('id')
      .executeTakeFirst();
    if (!taken) return number;
  }
}

/**
 * The number of an Admin whom a command makes, before a school has its staff: outside the series, so that the numbers of
 * the school's own sheet are free. The record's form changes it.
 */
export async function numberOutsideSeries({ db }: Context): Promise<string> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(substring(employee_number from '^ADMIN-([0-9]{1,6})$')::integer), 0) + 1 as next
    from staff`.execute(db);
  return `ADMIN-${rows[0]?.next ?? 1}`;
}

/**
 * The last day of somebody's present or next spell of employment, null without one; refuses a person who has left, at a
 * field if one is named.
 */
export async function requireEmployed({ db, now }: Pick<Context, 'db' | 'now'>, staffId: number, field?: string) {
  const spell = await readLastSpell({ db }, staffId);
  const lastDay = spell?.last_day ?? null;
  if (lastDay === null || lastDay >= toLocalDate(now())) return lastDay;
  throw field ? fieldRefusal(field, hasLeft) : new AppError('conflict', hasLeft);
}

/** The latest spell of employment, which may begin later. */
export const readLastSpell = ({ db }: Pick<Context, 'db'>, staffId: number) =>
  db
    .selectFrom('staff_employment')
    .where('staff_id', '=', staffId)
    .select(['id', 'joined_on', 'last_day', 'version'])
    .orderBy('joined_on', 'desc')
    .limit(1)
    .executeTakeFirst();

interface Contact {
  email: string | null;
  mobile: string | null;
}

/**
 * Changes a contact after its code was typed, by its owner if `isConfirmed`, and returns the previous one. The database
 * refuses an address that another person uses.
 */
export async function changeContact(
  { db }: Context,
  staffId: number,
  contact: Partial<Contact>,
  isConfirmed: boolean,
): Promise<Contact> {
  const before = await db
    .selectFrom('staff')
    .where('id', '=', staffId)
    .select(['email', 'mobile'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  await db
    .updateTable('staff')
    .set({
      ...contact,
      ...('email' in contact && isConfirmed && { email_confirmed_at: sql`now()` }),
      ...('mobile' in contact && isConfirmed && { mobile_confirmed_at: sql`now()` }),
      version: sql`version + 1`,
    })
    .where('id', '=', staffId)
    .execute();
  return before;
}
