import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { followUpApi, followUpMessages } from '../contract/follow-up.ts';
import { slips } from './demand.ts';
import { remind } from './remind.ts';

async function requireAccount(ctx: UserContext, studentId: number, access: typeof feeReaders | typeof feeWriters) {
  const { rows } = await sql<{ id: number }>`select account.id from fee_account account
    where student_id = ${studentId} and exists (select from student_enrollment enrollment
      where enrollment.student_id = ${studentId} and ${inScope(ctx.user, access, { branch: sql`enrollment.branch_id` })})`.execute(
    ctx.db,
  );
  const [found] = rows;
  if (!found) throw new AppError('not_found', notFoundMessage);
  return found.id;
}

const list: Handler<typeof followUpApi.list> = async (ctx, { id }) => {
  const accountId = await requireAccount(ctx, id, feeReaders);
  const { rows } = await sql<{ id: number; note: string; promisedOn: string; by: string; at: Date }>`
    select own.id, note, coalesce(promised_on::text, '') as "promisedOn", staff.name as by, at from fee_follow_up own
    join staff on staff.id = own.staff_id where account_id = ${accountId} order by own.id desc limit 100`.execute(
    ctx.db,
  );
  const { rows: days } = await sql<{ day: string | null }>`select max(day)::text as day from fee_reminder_child
    where account_id = ${accountId}`.execute(ctx.db);
  return { rows: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })), remindedOn: days[0]?.day ?? '' };
};

const add: Handler<typeof followUpApi.add> = async (ctx, { id, note, promisedOn }) => {
  const accountId = await requireAccount(ctx, id, feeWriters);
  if (promisedOn && promisedOn < toLocalDate(ctx.now())) throw fieldRefusal('promisedOn', followUpMessages.notPast);
  await sql`insert into fee_follow_up (account_id, note, promised_on, staff_id, at)
    values (${accountId}, ${note}, ${promisedOn || null}::date, ${ctx.user.staffId}, ${ctx.now()})`.execute(ctx.db);
  const details = { ...(promisedOn && { 'Promised to pay on': promisedOn }) };
  await audit(ctx, { action: 'fee-follow-up.added', entity: 'fee_account', entityId: accountId, details });
  return {};
};

export const followUpRoutes = routes(followUpApi, { list, add, remind, slips });
