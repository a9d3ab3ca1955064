import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { followUp, type noteApi, noteMessages } from '../contract/note.ts';
import type { Reach } from '../contract/words.ts';
import { addFollowUps, mayOwn, tellOwner } from './publish.ts';
import { type FoundNote, notesRead, requireNote } from './readable.ts';
import { openRemark, sealRemark } from './sealed.ts';

const isChief = ({ user }: UserContext, note: Pick<FoundNote, 'isOwn' | 'isKept'>) =>
  note.isOwn || (note.isKept && user.sets.includes('principal'));

/** The follow-ups of a note, the earliest first. */
export async function readFollowUps(ctx: UserContext, note: FoundNote) {
  const today = toLocalDate(ctx.now());
  const rows = await ctx.db
    .selectFrom('observation_follow_up as own')
    .innerJoin('observation_action as action', 'action.id', 'own.action_id')
    .innerJoin('staff as owner', 'owner.id', 'own.owner_id')
    .where('note_id', '=', note.id)
    .select(['own.id', 'action.name as action', 'own.owner_id', 'owner.name as owner', 'own.due_on', 'own.state'])
    .select(['own.remark', 'own.remark_sealed', 'own.version', 'own.closed_on'])
    .orderBy('own.due_on')
    .orderBy('own.id')
    .execute();
  return rows.map((row) =>
    toOutput(followUp, row, {
      // Of a restricted note others have it revealed with the text.
      remark:
        note.reach !== 'Restricted'
          ? row.remark
          : note.isOwn
            ? row.remark_sealed
              ? openRemark(ctx, row.id, row.remark_sealed)
              : row.remark
            : null,
      isOverdue: row.closed_on === null && row.due_on < today,
      mayChange: row.closed_on === null && (row.owner_id === ctx.user.staffId || isChief(ctx, note)),
    }),
  );
}

export const addFollowUp: Handler<typeof noteApi.addFollowUp> = async (ctx, { id, ...draft }) => {
  const note = await requireNote(ctx, id, true);
  if (!isChief(ctx, note)) throw new AppError('not_found', notFoundMessage);
  if (note.isWithdrawn) throw new AppError('conflict', noteMessages.withdrawn);
  if (!(await mayOwn(ctx, draft.ownerId, [note.student_id], note.reach as Reach)))
    throw fieldRefusal('ownerId', noteMessages.noReader);
  const [followUp = 0] = await addFollowUps(ctx, [id], draft);
  await audit(ctx, { action: 'observation.follow-up-added', entity: 'observation_note', entityId: id });
  return { id: followUp };
};

/** The owner, the author and the principal change it; the owner also after the note is out of reach. */
export const changeFollowUp: Handler<typeof noteApi.changeFollowUp> = async (ctx, { id, version, ...draft }) => {
  const { db, user } = ctx;
  const row = await db
    .selectFrom('observation_follow_up')
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
  const note = row && (await notesRead(ctx).where('note.id', '=', row.note_id).select('note.id').executeTakeFirst());
  const whole = note && (await requireNote(ctx, note.id));
  if (!row || (row.owner_id !== user.staffId && !(whole && isChief(ctx, whole))))
    throw new AppError('not_found', notFoundMessage);
  requireVersion(row, version);
  if (row.closed_on !== null) throw new AppError('conflict', noteMessages.closed);
  const about = await db
    .selectFrom('observation_note')
    .where('id', '=', row.note_id)
    .select(['student_id', 'reach', 'author_id'])
    .executeTakeFirstOrThrow();
  const isHandedOver = draft.ownerId !== row.owner_id;
  if (isHandedOver && !(await mayOwn(ctx, draft.ownerId, [about.student_id], about.reach as Reach)))
    throw fieldRefusal('ownerId', noteMessages.noReader);
  const isRestricted = about.reach === 'Restricted';
  // Who has not seen a sealed remark keeps it by entering none.
  const isKept = isRestricted && draft.remark === '' && about.author_id !== user.staffId;
  const isClosed = draft.state === 'Done' || draft.state === 'Cancelled';
  await db
    .updateTable('observation_follow_up')
    .set({
      state: String(draft.state),
      owner_id: Number(draft.ownerId),
      due_on: draft.dueOn,
      ...(!isKept && {
        remark: isRestricted ? '' : draft.remark,
        remark_sealed: isRestricted ? sealRemark(ctx, id, draft.remark) : null,
      }),
      closed_on: isClosed ? toLocalDate(ctx.now()) : null,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
  if (isHandedOver && draft.ownerId !== null) await tellOwner(ctx, draft.ownerId);
  await audit(ctx, {
    action: 'observation.follow-up-changed',
    entity: 'observation_note',
    entityId: row.note_id,
    details: { State: String(draft.state) },
  });
  return { version: version + 1 };
};
