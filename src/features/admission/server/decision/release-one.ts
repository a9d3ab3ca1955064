import { sql } from 'kysely';
import { sendToParents } from '#features/admission-form/api.ts';
import { type InquiryState, publishedAs } from '#features/admission-form/contract/state.ts';
import { nextWorkingDay } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { RunAct } from '#kit/server/job/runs.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { DecisionKind } from '../../contract/process-list.ts';
import { freezeLetter } from '../letter/letter.ts';
import { isReachedByStarter, outOfReach } from '../scope.ts';
import { stateBeforeOffer } from './held.ts';

export const releaseKind = 'admission.release';
const noLonger = text`The decision is no longer on hold.`;
const yearClosed = text`The academic year is closed.`;

const publishedWords: Record<DecisionKind, string> = {
  Offer: publishedAs.Offered ?? '',
  Waitlist: publishedAs.Waitlisted ?? '',
  Reject: 'No place offered',
};
const statesAfter: Record<DecisionKind, InquiryState> = {
  Offer: 'Offered',
  Waitlist: 'Waitlisted',
  Reject: 'Rejected',
};

const inquiriesOf = ({ db }: Pick<Context, 'db'>, id: number) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .where('inquiry.id', '=', id)
    .selectAll('inquiry')
    .select(['year.name as year', 'year.status as year_status', 'grade.name as grade']);
type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof inquiriesOf>['executeTakeFirst']>>>;

/** The held decision of an inquiry, with the day and amount that its letter names. */
async function readHeld(ctx: Context, row: Row) {
  const decision = await ctx.db
    .selectFrom('admission_decision as decision')
    .leftJoin('admission_seat as seat', 'seat.id', 'decision.seat_id')
    .leftJoin('academic_lookup as reason', 'reason.id', 'decision.reason_id')
    .where('decision.id', '=', row.held_decision_id)
    .select(['decision.id', 'decision.kind', 'decision.conditions', 'decision.offer_until', 'decision.reason_id'])
    .select(['decision.remark', 'seat.offer_days', 'seat.admission_fee', 'reason.name as reason'])
    .select(
      sql<boolean>`exists (select from admission_payment where inquiry_id = ${row.id} and reversed_at is null)`.as(
        'is_paid',
      ),
    )
    .executeTakeFirstOrThrow();
  const kind = decision.kind as DecisionKind;
  const isOffer = kind === 'Offer';
  const isPaid = isOffer && decision.is_paid;
  const replyBy = isOffer ? (decision.offer_until ?? (await replyDay(ctx, decision.offer_days ?? 7))) : '';
  const fee = Number(decision.admission_fee ?? 0);
  const letter = await freezeLetter(ctx, kind, {
    child: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no,
    grade: row.grade,
    year: row.year,
    amount: isOffer && !isPaid && fee > 0 ? showMoney(fee) : '',
    replyBy: replyBy && showDate(replyBy),
    conditions: decision.conditions,
  });
  return { ...decision, kind, isPaid, replyBy, letter };
}

/** The last day of an offer that is released today: a working day. */
async function replyDay(ctx: Context, days: number) {
  const day = addDays(toLocalDate(ctx.now()), days);
  return (await nextWorkingDay(ctx, day, null)) ?? day;
}

/** The letter that the held decision of an inquiry would have now; undefined where none is held. */
export async function letterOfHeld(ctx: Context, id: number) {
  const row = await inquiriesOf(ctx, id).executeTakeFirst();
  return row?.held_decision_id ? (await readHeld(ctx, row)).letter : undefined;
}

/** Releases the held decision of one child: its state, the frozen words of its letter, and the message to the family. */
export const releaseOne: RunAct = async (ctx, id) => {
  await sql`select from academic_year where id = (select academic_year_id from admission_inquiry where id = ${id})
    for share`.execute(ctx.db);
  const row = await inquiriesOf(ctx, id).where(isReachedByStarter(ctx)).forUpdate('inquiry').executeTakeFirst();
  if (!row) return outOfReach;
  if (row.year_status === 'Closed') return yearClosed;
  if (!row.held_decision_id) return noLonger;
  const { kind, isPaid, replyBy, letter, ...decision } = await readHeld(ctx, row);
  const state: InquiryState = isPaid ? 'Seat confirmed' : statesAfter[kind];
  await ctx.db
    .updateTable('admission_decision')
    .set({ released_at: ctx.now(), letter: JSON.stringify(letter) })
    .where('id', '=', decision.id)
    .execute();
  await ctx.db
    .updateTable('admission_inquiry')
    .set({
      state,
      status: isPaid ? (publishedAs['Seat confirmed'] ?? '') : publishedWords[kind],
      held_kind: null,
      held_decision_id: null,
      version: row.version + 1,
      ...(kind === 'Offer' && { offer_expires_on: replyBy, waitlist_position: null }),
      ...(kind === 'Reject' && {
        waitlist_position: null,
        ended_state: await stateBeforeOffer(ctx, row),
        ended_reason: [decision.reason, decision.remark].filter(Boolean).join(': '),
        ended_reason_id: decision.reason_id,
      }),
    })
    .where('id', '=', id)
    .execute();
  await sendToParents(ctx, ctx.actor, {
    inquiryId: id,
    template: 'admission.decision',
    key: `decision ${decision.id}`,
  });
  await audit(ctx, {
    actor: ctx.actor,
    action: 'admission.decision.released',
    entity: 'admission_inquiry',
    entityId: id,
    version: row.version + 1,
    details: { Status: `${row.state} → ${state}` },
  });
  return undefined;
};
