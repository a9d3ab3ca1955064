import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Context, User } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { applyAccount, prepareAccount } from './server/account/create.ts';

const wanted = 2;

/** Two verified children of the demo have a confirmed seat and are students. */
export async function seedAccounts(ctx: Context, user: User) {
  const { rows } = await sql<{ id: number }>`
    select inquiry.id from admission_inquiry inquiry
    join admission_parent_info family on family.inquiry_id = inquiry.id and not family.is_divorced
    where inquiry.state = 'Verified' and inquiry.quota <> 'RTE' and inquiry.gender is not null
      and inquiry.held_kind is null
    order by inquiry.id desc`.execute(ctx.db);
  let made = 0;
  for (const { id } of rows) {
    if (made === wanted) return;
    // A child with a choice to make stays in the list for a person.
    const isMade = await ctx.db
      .transaction()
      .execute((db) => admit({ ...ctx, db, user }, id))
      .catch((error: unknown) => {
        if (error instanceof AppError) return false;
        throw error;
      });
    if (isMade) made += 1;
  }
}

async function admit(ctx: Context & { user: User }, id: number) {
  await confirmSeat(ctx.db, id);
  await applyAccount(ctx, await prepareAccount(ctx, { id }, { withoutPlan: true }));
  return true;
}

async function confirmSeat(db: Database, id: number) {
  await sql`
    insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 40 from admission_inquiry where id = ${id}
    on conflict do nothing`.execute(db);
  await sql`
    update admission_inquiry inquiry set state = 'Seat confirmed', status = 'Place confirmed', seat_id = seat.id,
      seat_quota = seat.quota, offer_expires_on = coalesce(received_at, created_at)::date + 14
    from admission_seat seat where inquiry.id = ${id} and seat.quota = 'General'
      and (seat.academic_year_id, seat.branch_id, seat.program_id, seat.grade_id)
        = (inquiry.academic_year_id, inquiry.branch_id, inquiry.program_id, inquiry.grade_id)`.execute(db);
}
