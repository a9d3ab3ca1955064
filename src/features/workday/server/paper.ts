import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { leaveKeepers, leaveReaders } from '../contract/access.ts';
import { type staffLeaveApi, staffLeaveMessages } from '../contract/leave.ts';

export const paperOwner = (id: number) => ({
  table: 'workday_leave',
  id,
  tooMany: text`This record has too many files. Remove a document that is out of date.`,
});

/** A leave of the user, or of a person of the user's branches with these rights. */
const ownOr = (access: Access, { user, now }: UserContext) =>
  sql<boolean>`(leave.staff_id = ${user.staffId} or ${inScope(user, access, { branch: branchOn(toLocalDate(now())) })})`;

/** Leave that waits for a decision of the user. */
const isForUser = (ctx: UserContext) => {
  const mayDecide = ctx.approvals.find(({ kind }) => kind === 'workday.leave')?.mayDecide;
  return mayDecide
    ? sql<boolean>`exists (select from approval where approval.workday_leave_id = leave.id and approval.status = 'Pending'
        and ${mayDecide(ctx, sql`approval.workday_leave_id`)})`
    : sql<boolean>`false`;
};

const findLeave = ({ db }: UserContext, id: number, isSeen: ReturnType<typeof ownOr>) =>
  db
    .selectFrom('workday_leave as leave')
    .innerJoin('staff', 'staff.id', 'leave.staff_id')
    .where('leave.id', '=', id)
    .where(isSeen)
    .select(['leave.id', 'leave.staff_id', 'leave.paper_id'])
    .executeTakeFirstOrThrow(notFound);

export const savePaper: Handler<typeof staffLeaveApi.savePaper> = async (ctx, { id }) => {
  const { staff_id } = await findLeave(ctx, id, ownOr(leaveKeepers, ctx));
  const { paper } = ctx.uploads;
  if (!paper) throw fieldRefusal('paper', staffLeaveMessages.noPaper);
  const { paper_id: before } = await ctx.db
    .selectFrom('workday_leave')
    .where('id', '=', id)
    .select('paper_id')
    .forUpdate()
    .executeTakeFirstOrThrow();
  const paper_id = await saveFile(ctx, paperOwner(id), 'paper', paper);
  await ctx.db.updateTable('workday_leave').set({ paper_id }).where('id', '=', id).execute();
  await removeFile(ctx, before);
  await audit(ctx, { action: 'workday-leave.paper-saved', entity: 'staff', entityId: staff_id });
  return {};
};

export const readPaper: Handler<typeof staffLeaveApi.paper> = async (ctx, { id }) => {
  const { staff_id, paper_id } = await findLeave(
    ctx,
    id,
    sql<boolean>`(${ownOr(leaveReaders, ctx)} or ${isForUser(ctx)})`,
  );
  if (!paper_id) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'workday-leave.paper-opened', entity: 'staff', entityId: staff_id });
  return readFile(ctx, paperOwner(id), paper_id);
};
