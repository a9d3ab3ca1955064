import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type leaveApi, leaveMessages } from '../contract/leave.ts';
import { leaves } from './leave.ts';

/** The owner of a leave's paper among the files. */
export const leaveOwner = (id: number) => ({
  table: 'attendance_leave',
  id,
  tooMany: text`This record has too many files. Remove a document that is out of date.`,
});

/** The child and the paper of a leave that the user reaches; throws `not_found`. */
async function getLeave(ctx: UserContext, id: number) {
  return leaves(ctx).where('leave.id', '=', id).select('leave.paper_id').executeTakeFirstOrThrow(notFound);
}

export const savePaper: Handler<typeof leaveApi.savePaper> = async (ctx, { id }) => {
  const { studentId } = await getLeave(ctx, id);
  const { paper } = ctx.uploads;
  if (!paper) throw fieldRefusal('paper', leaveMessages.noPaper);
  const { paper_id: before } = await ctx.db
    .selectFrom('attendance_leave')
    .where('id', '=', id)
    .select('paper_id')
    .forUpdate()
    .executeTakeFirstOrThrow();
  const paper_id = await saveFile(ctx, leaveOwner(id), 'paper', paper);
  await ctx.db.updateTable('attendance_leave').set({ paper_id }).where('id', '=', id).execute();
  await removeFile(ctx, before);
  await audit(ctx, { action: 'attendance.leave-paper-saved', entity: 'student', entityId: studentId });
  return {};
};

export const readPaper: Handler<typeof leaveApi.paper> = async (ctx, { id }) => {
  const { studentId, paper_id } = await getLeave(ctx, id);
  if (!paper_id) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'attendance.leave-paper-opened', entity: 'student', entityId: studentId });
  return readFile(ctx, leaveOwner(id), paper_id);
};
