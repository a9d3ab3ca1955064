import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { removeFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import type { homeworkApi } from '../contract/homework.ts';
import { homeworkClosers, homeworkGivers, homeworkMessages } from '../contract/words.ts';
import { columnsOf, saveDetails } from './content.ts';
import { lockDelivery } from './delivery.ts';
import { keepReason } from './give.ts';
import { dueOfChild } from './roster.ts';
import { requireSchoolDay, withHomeworkMessages } from './rules.ts';

export const update: Handler<typeof homeworkApi.update> = async (ctx, { id, contentVersion, overReason, ...asked }) => {
  const { given, content } = await lockDelivery(
    ctx,
    { id, contentVersion },
    { access: homeworkGivers, locksLoad: true },
  );
  if (given.state === 'Cancelled') throw new AppError('conflict', homeworkMessages.cancelled);
  await requireMarks(ctx, content.id, asked.maxMarks);
  const { version } = await ctx.db
    .updateTable('homework')
    .set({ ...columnsOf(asked), version: sql`version + 1` })
    .where('id', '=', content.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  await saveDetails(ctx, content.id, asked);
  const deliveries = await ctx.db
    .selectFrom('homework_section')
    .where('homework_id', '=', content.id)
    .where('state', '<>', 'Cancelled')
    .select(['id', 'state'])
    .orderBy('id')
    .execute();
  const isMore = Number(asked.minutes) > content.minutes || String(asked.kind) !== content.kind;
  if (isMore && given.state === 'Published') await keepReason(ctx, [id], overReason);
  const details: Record<string, string> =
    content.title === asked.title ? {} : { Title: `${content.title} → ${asked.title}` };
  await auditEach(
    ctx,
    { action: 'homework.changed', entity: 'homework_section', details },
    deliveries.map((row) => row.id),
  );
  return { id, version };
};

/** Refuses fewer marks than a child already has. */
async function requireMarks({ db }: UserContext, homeworkId: number, maxMarks: number | null) {
  const kept = await db
    .selectFrom('homework_result as result')
    .innerJoin('homework_section as given', 'given.id', 'result.homework_section_id')
    .where('given.homework_id', '=', homeworkId)
    .where('result.marks', '>', sql<string>`${maxMarks ?? -1}`)
    .select('result.student_id')
    .limit(1)
    .executeTakeFirst();
  if (kept) throw fieldRefusal('maxMarks', homeworkMessages.marksKept);
}

export const move: Handler<typeof homeworkApi.move> = async (ctx, { id, version, confirmToken, ...asked }) => {
  const { given } = await lockDelivery(ctx, { id, version }, { access: homeworkGivers, locksLoad: true });
  requireOpen(given.state);
  await requireSchoolDay(ctx, { dueOn: asked.dueOn, first: given.assigned_on, gradeIds: [given.grade_id] });
  if (asked.lateUntil && asked.lateUntil < asked.dueOn) throw fieldRefusal('lateUntil', homeworkMessages.late);
  return previewOrApply(ctx, confirmToken, () =>
    withHomeworkMessages(ctx, async () => {
      const before = await readLate(ctx, id);
      const isTold = given.digest_on !== null && given.due_on !== asked.dueOn;
      const set = { due_on: asked.dueOn, late_until: asked.lateUntil || null, version: sql<number>`version + 1` };
      await ctx.db
        .updateTable('homework_section')
        // Families that had the old day get another digest.
        .set({ ...set, ...(isTold && { digest_on: null, news: 'Changed' }) })
        .where('id', '=', id)
        .execute();
      if (given.state === 'Published') await keepReason(ctx, [id], asked.overReason);
      const after = await readLate(ctx, id);
      const details = { due: `${showDate(given.due_on)} → ${showDate(asked.dueOn)}` };
      await audit(ctx, { action: 'homework.due-moved', entity: 'homework_section', entityId: id, details });
      const answer = {
        becomeLate: after.filter((student) => !before.includes(student)).length,
        becomeOnTime: before.filter((student) => !after.includes(student)).length,
        tells: isTold,
      };
      return { answer, basis: [id, version, asked, answer] };
    }),
  );
};

/** The children whose results are late. */
async function readLate({ db }: UserContext, id: number): Promise<number[]> {
  const { rows } = await sql<{ studentId: number }>`
    select result.student_id as "studentId" from homework_section given
    join homework_result result on result.homework_section_id = given.id
    left join homework_extension extension on extension.homework_section_id = given.id
      and extension.student_id = result.student_id
    where given.id = ${id} and result.handed_in_on > ${dueOfChild}`.execute(db);
  return rows.map(({ studentId }) => studentId);
}

export function requireOpen(state: string) {
  if (state === 'Closed') throw new AppError('conflict', homeworkMessages.closed);
  if (state === 'Cancelled') throw new AppError('conflict', homeworkMessages.cancelled);
}

export const cancel: Handler<typeof homeworkApi.cancel> = async (ctx, { id, version, reason }) => {
  const { given } = await lockDelivery(ctx, { id, version }, { access: homeworkGivers, locksLoad: true });
  if (given.state !== 'Published') throw new AppError('conflict', homeworkMessages.notPublished);
  // What no family was told of needs no word.
  const news = given.digest_on === null && given.news === 'New' ? {} : { digest_on: null, news: 'Cancelled' };
  const done = await ctx.db
    .updateTable('homework_section')
    .set({ state: 'Cancelled', cancelled_reason: reason, version: sql`version + 1`, ...news })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: 'homework.cancelled', entity: 'homework_section', entityId: id, details: { reason } });
  return done;
};

const setState = async (ctx: UserContext, id: number, state: 'Closed' | 'Published') => {
  const done = await ctx.db
    .updateTable('homework_section')
    .set({ state, closed_at: state === 'Closed' ? ctx.now() : null, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  const action = state === 'Closed' ? 'homework.closed' : 'homework.reopened';
  await audit(ctx, { action, entity: 'homework_section', entityId: id });
  return done;
};

export const close: Handler<typeof homeworkApi.close> = async (ctx, { id, version }) => {
  const isOpen = ctx.user.sets.includes('principal');
  const { given } = await lockDelivery(ctx, { id, version }, { access: homeworkClosers, isOpen });
  if (given.shownState !== 'Published') throw new AppError('conflict', homeworkMessages.notPublished);
  return setState(ctx, id, 'Closed');
};

export const reopen: Handler<typeof homeworkApi.reopen> = async (ctx, { id, version }) => {
  const isOpen = ctx.user.sets.includes('principal');
  const { given } = await lockDelivery(ctx, { id, version }, { access: homeworkClosers, isOpen });
  if (given.state !== 'Closed') throw new AppError('conflict', homeworkMessages.notClosed);
  return setState(ctx, id, 'Published');
};

export const remove: Handler<typeof homeworkApi.remove> = async (ctx, { id }) => {
  const { given, content } = await lockDelivery(ctx, { id }, { access: homeworkGivers });
  if (given.state !== 'Draft') throw new AppError('conflict', homeworkMessages.notDraft);
  await ctx.db.deleteFrom('homework_section').where('id', '=', id).execute();
  const other = await ctx.db
    .selectFrom('homework_section')
    .where('homework_id', '=', content.id)
    .select('id')
    .executeTakeFirst();
  if (!other) {
    const files = await ctx.db
      .deleteFrom('homework_file')
      .where('homework_id', '=', content.id)
      .returning('file_id')
      .execute();
    await ctx.db.deleteFrom('homework').where('id', '=', content.id).execute();
    for (const { file_id } of files) await removeFile(ctx, file_id);
  }
  await audit(ctx, {
    action: 'homework.deleted',
    entity: 'homework_section',
    entityId: id,
    details: { title: content.title },
  });
  return {};
};
