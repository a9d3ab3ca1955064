import { sql } from 'kysely';
import { stateAfter } from '#features/admission-form/api.ts';
import { type InquiryState, publishedAs } from '#features/admission-form/contract/state.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { slotApi } from '../../contract/slot.ts';
import { saveInquiry } from '../inquiry/lock.ts';
import { isSeatReached } from '../seat/seat-read.ts';
import { tellFamilies } from './tell-families.ts';

/** True in a query of `own`, an interaction, with its inquiry: of the branches of the account, or the assessor's own. */
const isInteractionReached = (ctx: UserContext) =>
  sql<boolean>`(${isSeatReached(ctx.user, sql`inquiry.branch_id`)} or ${isOwnSlot(ctx)})`;
const isOwnSlot = ({ user }: UserContext) => sql<boolean>`exists (select from admission_slot_assessor mine
  where mine.slot_id = own.slot_id and mine.staff_id = ${user.staffId})`;

/** An interaction with its locked inquiry. Throws `not_found` outside the user's branches. */
async function lockInteraction(ctx: UserContext, id: number) {
  return ctx.db
    .selectFrom('admission_interaction as own')
    .innerJoin('admission_inquiry as inquiry', 'inquiry.id', 'own.inquiry_id')
    .where('own.id', '=', id)
    .where(isInteractionReached(ctx))
    .select(['own.id', 'own.kind', 'own.status', 'own.starts_at'])
    .select(isOwnSlot(ctx).as('is_own'))
    .select(sql<boolean>`exists (select from admission_outcome where interaction_id = own.id)`.as('has_outcome'))
    .select(sql<string>`coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no)`.as('child'))
    .select(['inquiry.id as inquiry_id', 'inquiry.state', 'inquiry.version', 'inquiry.held_kind'])
    .forUpdate('inquiry')
    .executeTakeFirstOrThrow(notFound);
}

/** The state of an inquiry by what is left of its interactions. */
async function stateLeft({ db }: UserContext, inquiryId: number): Promise<InquiryState> {
  const rows = await db
    .selectFrom('admission_interaction')
    .where('inquiry_id', '=', inquiryId)
    .where('status', '<>', 'Cancelled')
    .select('status')
    .execute();
  if (rows.some(({ status }) => status === 'Planned')) return 'Interaction planned';
  return rows.length > 0 ? 'Interaction done' : 'Verified';
}

const notAssessor = text`Only the assessors of this slot write outcomes.`;

const isCancelled = text`This interaction is cancelled.`;
const isHeld = text`An outcome is stored, so the interaction took place. It can’t be cancelled.`;
const hasOutcome = text`An outcome is stored, so the child attended. It can’t be changed here.`;

/** Attendance is known on the day of the slot, and can be corrected until an outcome is stored. */
function refuseAttendance({ now }: UserContext, found: Awaited<ReturnType<typeof lockInteraction>>) {
  if (found.status === 'Cancelled') throw new AppError('conflict', isCancelled);
  if (found.status !== 'Planned' && found.has_outcome) throw new AppError('conflict', hasOutcome);
  const day = toLocalDate(found.starts_at);
  if (day > toLocalDate(now()))
    throw new AppError('conflict', text`The interaction is on ${{ day: showDate(day) }}. Enter it on that day.`);
}

async function setStatus(ctx: UserContext, id: number, status: 'Came' | 'No-show' | 'Cancelled', action: string) {
  const found = await lockInteraction(ctx, id);
  stateAfter('planInteraction', found.state);
  if (status !== 'Cancelled') refuseAttendance(ctx, found);
  else if (found.has_outcome) throw new AppError('conflict', isHeld);
  await ctx.db.updateTable('admission_interaction').set({ status }).where('id', '=', id).execute();
  const state = await stateLeft(ctx, found.inquiry_id);
  await saveInquiry(
    ctx,
    { id: found.inquiry_id, version: found.version },
    action,
    { state, ...(publishedAs[state] && { status: publishedAs[state] }) },
    { Attendance: status === 'Came' ? 'Attended' : status === 'No-show' ? 'Absent' : status },
  );
  return { child: { id: found.inquiry_id, name: found.child }, isPlanned: found.status === 'Planned' };
}

export const attend: Handler<typeof slotApi.attend> = async (ctx, { id, status }) => {
  await setStatus(ctx, id, status as 'Came', 'admission.interaction.attended');
  return {};
};

export const cancel: Handler<typeof slotApi.cancel> = async (ctx, { id }) => {
  const { child, isPlanned } = await setStatus(ctx, id, 'Cancelled', 'admission.interaction.cancelled');
  if (isPlanned) await tellFamilies(ctx, [child]);
  return {};
};

export const outcome: Handler<typeof slotApi.outcome> = async (ctx, { id, recommendation, score, ofScore, note }) => {
  const found = await lockInteraction(ctx, id);
  stateAfter('planInteraction', found.state);
  if (!found.is_own && !ctx.user.sets.includes('admissionHead')) throw new AppError('forbidden', notAssessor);
  if (found.kind !== 'Assessment' && score !== null) throw fieldRefusal('score', text`An interaction has no score.`);
  if ((score === null) !== (ofScore === null)) throw fieldRefusal('ofScore', text`Enter both numbers.`);
  if (score !== null && ofScore !== null && score > ofScore)
    throw fieldRefusal('score', text`The score can’t be above the highest one.`);
  const values = { recommendation, score, of_score: ofScore, note, written_at: ctx.now() };
  await ctx.db
    .insertInto('admission_outcome')
    .values({ interaction_id: id, kind: found.kind, staff_id: ctx.user.staffId as number, ...values })
    .onConflict((conflict) => conflict.columns(['interaction_id', 'staff_id']).doUpdateSet(values))
    .execute();
  // Of a child who was not there there is nothing to write.
  if (found.status === 'Planned' && toLocalDate(found.starts_at) <= toLocalDate(ctx.now()))
    await setStatus(ctx, id, 'Came', 'admission.interaction.attended');
  await audit(ctx, {
    action: 'admission.outcome.written',
    entity: 'admission_inquiry',
    entityId: found.inquiry_id,
    details: { Recommendation: recommendation },
  });
  return {};
};
