import { sql } from 'kysely';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { changedMessage, previewOrApply } from '#kit/server/preview.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import type { slotApi } from '../../contract/slot.ts';
import { lockApplications } from '../decision/decide.ts';
import { isSeatReached } from '../seat/seat-read.ts';
import { requireSchoolDay, slotRules } from './slot-rules.ts';
import { exampleOfMeeting, tellFamilies } from './tell-families.ts';

const isOver = text`This slot is over or cancelled.`;

/** The inquiries whose interaction is in a slot. */
async function plannedIn({ db }: UserContext, slotId: number) {
  const rows = await db
    .selectFrom('admission_interaction')
    .where('slot_id', '=', slotId)
    .where('status', '=', 'Planned')
    .select('inquiry_id')
    .execute();
  return rows.map(({ inquiry_id }) => inquiry_id);
}

/** A slot that has not begun, locked after the applications of its children. */
async function lockSlot(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const planned = await plannedIn(ctx, id);
  const children = await lockApplications(ctx, planned);
  const slot = await ctx.db
    .selectFrom('admission_slot as slot')
    .where('slot.id', '=', id)
    .where(isSeatReached(ctx.user, sql`slot.branch_id`))
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(slot, version);
  // A family may have chosen the slot, or another one, before it was locked.
  const now = await plannedIn(ctx, id);
  if (now.length !== planned.length || now.some((one) => !planned.includes(one)))
    throw new AppError('stale', changedMessage);
  if (slot.cancelled_at || slot.starts_at <= ctx.now()) throw new AppError('conflict', isOver);
  return { slot, children };
}

export const moveSlot: Handler<typeof slotApi.move> = (ctx, { confirmToken, ...asked }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { day, from, roomId, place, onHoliday } = asked;
    const { slot, children } = await lockSlot(ctx, asked);
    const startsAt = new Date(`${day}T${from}:00+05:30`);
    if (startsAt <= ctx.now()) throw fieldRefusal('day', text`Choose a time in the future.`);
    if (!onHoliday) await requireSchoolDay(ctx, day, slot.academic_year_id);
    const endsAt = new Date(startsAt.getTime() + slot.ends_at.getTime() - slot.starts_at.getTime());
    await withConstraintMessages(ctx, slotRules, () =>
      ctx.db
        .updateTable('admission_slot')
        .set({ starts_at: startsAt, ends_at: endsAt, room_id: roomId, place, version: slot.version + 1 })
        .where('id', '=', slot.id)
        .execute(),
    );
    const details = { From: slot.starts_at.toISOString(), To: startsAt.toISOString() };
    await auditEach(
      ctx,
      { action: 'admission.interaction.moved', entity: 'admission_inquiry', details },
      children.map(({ id }) => id),
    );
    const example = isPreview ? await exampleOfMeeting(ctx, children) : null;
    if (!isPreview) await tellFamilies(ctx, children);
    return {
      answer: { startsAt: startsAt.toISOString(), children: children.map(({ name }) => name), example },
      basis: [asked, slot.version, children.map(({ id, version }) => [id, version])],
    };
  });

export const cancelSlot: Handler<typeof slotApi.cancelSlot> = (ctx, { confirmToken, ...asked }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { slot, children } = await lockSlot(ctx, asked);
    const ids = children.map(({ id }) => id);
    await sql`update admission_interaction set status = 'Cancelled' where slot_id = ${slot.id} and status = 'Planned'`.execute(
      ctx.db,
    );
    await sql`delete from admission_slot_assessor where slot_id = ${slot.id}
      and not exists (select from admission_interaction where slot_id = ${slot.id} and status <> 'Cancelled')`.execute(
      ctx.db,
    );
    await sql`update admission_slot set cancelled_at = ${ctx.now()}, version = version + 1 where id = ${slot.id}`.execute(
      ctx.db,
    );
    await sql`update admission_inquiry inquiry set version = version + 1, state = left_over.state,
        status = case left_over.state when 'Verified' then 'Checked' else status end
      from (select id, case
          when exists (select from admission_interaction where inquiry_id = own.id and status = 'Planned') then 'Interaction planned'
          when exists (select from admission_interaction where inquiry_id = own.id and status <> 'Cancelled')
            then 'Interaction done' else 'Verified' end as state
        from admission_inquiry own where id = any(${ids}::integer[])) as left_over
      where left_over.id = inquiry.id and inquiry.state = 'Interaction planned'`.execute(ctx.db);
    await auditEach(ctx, { action: 'admission.interaction.cancelled', entity: 'admission_inquiry', details: {} }, ids);
    const example = isPreview ? await exampleOfMeeting(ctx, children) : null;
    if (!isPreview) await tellFamilies(ctx, children);
    return {
      answer: { children: children.map(({ name }) => name), example },
      basis: [slot.id, slot.version, children.map(({ id, version }) => [id, version])],
    };
  });
