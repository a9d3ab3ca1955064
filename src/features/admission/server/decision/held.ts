import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import type { Context } from '#kit/server/context.ts';

/** Cancels the decision that is held for a locked inquiry. Returns what the inquiry no longer has. */
export async function cancelHeld({ db, now }: Pick<Context, 'db' | 'now'>, { id }: { id: number }) {
  await db
    .updateTable('admission_decision')
    .set({ cancelled_at: now() })
    .where('inquiry_id', '=', id)
    .where('released_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .execute();
  return { held_kind: null, held_decision_id: null };
}

/** As `cancelHeld`, for an application that goes back to the review: it also loses its place in a list. */
export const leaveProcess = async (ctx: Pick<Context, 'db' | 'now'>, inquiry: { id: number }) => ({
  ...(await cancelHeld(ctx, inquiry)),
  seat_id: null,
  seat_quota: null,
  waitlist_position: null,
});

/** The last state in which an inquiry held no seat; its own before an offer. */
export async function stateBeforeOffer({ db }: Pick<Context, 'db'>, inquiry: { id: number; state: string }) {
  if (inquiry.state !== 'Offered' && inquiry.state !== 'Seat confirmed') return inquiry.state as InquiryState;
  const decision = await db
    .selectFrom('admission_decision')
    .where('inquiry_id', '=', inquiry.id)
    .where('kind', '=', 'Offer')
    .where('released_at', 'is not', null)
    .orderBy('id', 'desc')
    .select('from_state')
    .executeTakeFirst();
  return (decision?.from_state ?? 'Verified') as InquiryState;
}

/** The seat row and position of an inquiry that returns to this state: its old place in the list, or none. */
export async function placeAfterReopening(
  { db }: Pick<Context, 'db'>,
  inquiry: { id: number; seat_id: number | null },
  state: InquiryState,
) {
  if (state !== 'Waitlisted' || !inquiry.seat_id) {
    return { seat_id: null, seat_quota: null, waitlist_position: null, offer_expires_on: null };
  }
  const { position } = await db
    .selectNoFrom(
      sql<number>`coalesce(
        (select waitlist_position from admission_decision where inquiry_id = ${inquiry.id} and kind = 'Waitlist'
          and released_at is not null and seat_id = ${inquiry.seat_id} order by id desc limit 1),
        ${nextPosition(inquiry.seat_id)})`.as('position'),
    )
    .executeTakeFirstOrThrow();
  return { waitlist_position: position, offer_expires_on: null };
}

/** The position after every one that the waiting list of a seat row ever had. Call it with the row locked. */
export const nextPosition = (seatId: number) => sql<number>`(1 + greatest(0,
  (select max(waitlist_position) from admission_inquiry where seat_id = ${seatId}),
  (select max(waitlist_position) from admission_decision where seat_id = ${seatId})))`;
