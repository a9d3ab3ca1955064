import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { leaveReaders } from '../contract/access.ts';
import { type staffLeaveApi, staffLeaveMessages } from '../contract/leave.ts';

export const paperOwner = (id: number) => ({
  table: 'workday_leave',
  id,
  tooMany: text`This record has too many files. Remove a document that is out of date.`,
});

/** A leave of the user, or of a person whose leave the user reads. */
const seen = ({ db, user, now }: UserContext, id: number) =>
  db
    .selectFrom('workday_leave as leave')
    .innerJoin('staff', 'staff.id', 'leave.staff_id')
    .where('leave.id', '=', id)
    .where((of) =>
      of.or([
        of('leave.staff_id', '=', user.staffId),
        inScope(user, leaveReaders, { branch: branchOn(toLocalDate(now())) }),
      ]),
    )
    .select(['leave.id', 'leave.staff_id', 'leave.paper_id'])
    .executeTakeFirstOrThrow(notFound);

export const savePaper: Handler<typeof staffLeaveApi.savePaper> = async (ctx, { id }) => {
  const { staff_id } = await seen(ctx, id);
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
  const { staff_id, paper_id } = await seen(ctx, id);
  if (!paper_id) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'workday-leave.paper-opened', entity: 'staff', entityId: staff_id });
  return readFile(ctx, paperOwner(id), paper_id);
};
