import { stateAfter } from '#features/admission-form/api.ts';
import { type InquiryState, publishedAs } from '#features/admission-form/contract/state.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { endWaiver } from '../decision/fee-waiver.ts';
import { cancelHeld, placeAfterReopening, stateBeforeOffer } from '../decision/held.ts';
import { lockInquiry, saveInquiry } from './lock.ts';

interface Ended {
  id: number;
  version: number;
  /** The words, or how to read those of a choice from the school’s list. */
  reason: string | (() => Promise<string>);
  /** The choice of the school’s list that the words begin with. */
  reasonId?: number | null;
}

/** The words of a chosen reason. "Other" says nothing, so it needs a note. */
export async function readReason(
  { db }: UserContext,
  kind: 'Reason lost' | 'Reason withdrawn' | 'Reason not offered',
  { reasonId, note }: { reasonId: number | null; note: string },
): Promise<string> {
  const found = await db
    .selectFrom('academic_lookup')
    .where('id', '=', reasonId)
    .where('kind', '=', kind)
    .select(['name', 'is_system'])
    .executeTakeFirst();
  if (!found) throw fieldRefusal('reasonId', text`Choose one from the list.`);
  if (found.is_system && note === '') throw fieldRefusal('note', text`Say why.`);
  return [found.name, note].filter(Boolean).join(': ');
}

const actions = {
  lose: 'admission.inquiry.lost',
  reject: 'admission.inquiry.rejected',
  withdraw: 'admission.inquiry.withdrawn',
};

/** Ends an inquiry with a reason. A correction that was asked for closes again; the published word stays. */
export async function endInquiry(
  ctx: UserContext,
  act: keyof typeof actions,
  { id, version, reason: given, reasonId }: Ended,
) {
  // An inquiry that the user does not reach is not there, whatever the reason.
  const inquiry = await lockInquiry(ctx, id, version);
  const state = stateAfter(act, inquiry.state);
  const reason = typeof given === 'string' ? given : await given();
  await closeCorrection(ctx, id);
  await endWaiver(ctx, id);
  const before = await stateBeforeOffer(ctx, inquiry);
  await saveInquiry(
    ctx,
    inquiry,
    actions[act],
    {
      ...(await cancelHeld(ctx, inquiry)),
      state,
      waitlist_position: null,
      ended_state: before === 'Correction requested' ? 'Under review' : before,
      ended_reason: reason,
      ended_reason_id: reasonId ?? null,
      next_follow_up_on: null,
      open_pages: [],
      submitted_at: inquiry.submitted_at ?? inquiry.received_at,
    },
    { Status: `${inquiry.state} → ${state}`, Reason: reason },
  );
  return {};
}

const closeCorrection = ({ db, now }: UserContext, id: number) =>
  db
    .updateTable('admission_correction')
    .set({ answered_at: now() })
    .where('inquiry_id', '=', id)
    .where('answered_at', 'is', null)
    .execute();

/** Returns an ended inquiry to the state in which it ended. */
export async function reopenInquiry(
  ctx: UserContext,
  { id, version, reason }: Pick<Ended, 'id' | 'version'> & { reason: string },
) {
  const inquiry = await lockInquiry(ctx, id, version);
  const first = stateAfter('reopen', inquiry.state);
  const state = (inquiry.ended_state || first) as InquiryState;
  await saveInquiry(
    ctx,
    inquiry,
    'admission.inquiry.reopened',
    {
      ...(await placeAfterReopening(ctx, inquiry, state)),
      state,
      ended_state: '',
      ended_reason: '',
      ended_reason_id: null,
      ...(publishedAs[state] && { status: publishedAs[state] }),
    },
    { Status: `${inquiry.state} → ${state}`, Reason: reason },
  );
  return {};
}
