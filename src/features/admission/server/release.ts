import { sql } from 'kysely';
import { sendToParents } from '#features/admission-form/api.ts';
import { type InquiryState, publishedAs } from '#features/admission-form/contract/state.ts';
import { nextWorkingDay } from '#features/calendar/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, atLocalHour, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { listComingRuns, type RunAct, stopComingRun } from '#kit/server/job/runs.ts';
import { audit } from '#kit/server/security/audit.ts';
import { processApi } from '../contract/process.ts';
import { stateBeforeOffer } from './held.ts';
import { applicationsSelected } from './process-list.ts';
import { isReachedByStarter, outOfReach } from './scope.ts';
import { startSelected } from './send-selected.ts';

const kind = 'admission.release';
const notHeld = text`No decision is held.`;
const noLonger = text`The decision is no longer held.`;
const yearClosed = text`The academic year is closed.`;

export const release: Handler<typeof processApi.release> = (ctx, { confirmToken, selection, day, hour }) => {
  const beginsAt = day === '' ? undefined : atLocalHour(day, Number((hour || '09:00').slice(0, 2)));
  if (beginsAt && beginsAt <= ctx.now()) throw fieldRefusal('day', text`Choose a time in the future.`);
  const told = { title: text`Release decisions`, path: '/school-erp/admission/process-admission?tab=held' };
  const run = { kind, told, access: processApi.release.access, ...(beginsAt && { beginsAt }) };
  return startSelected(ctx, { ...run, template: 'admission.decision' }, { confirmToken, selection }, async () => {
    const ids = await applicationsSelected(ctx, selection);
    const rows = await ctx.db
      .selectFrom('admission_inquiry')
      .where('id', '=', sql<number>`any(${ids}::integer[])`)
      .select(['id', 'version', 'inquiry_no', 'first_name', 'last_name', 'held_kind'])
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ ...row, reason: row.held_kind ? undefined : notHeld }));
  });
};

export const releases: Handler<typeof processApi.releases> = async (ctx) => listComingRuns(ctx, kind);

export const stopRelease: Handler<typeof processApi.stopRelease> = async (ctx, { id }) => {
  await stopComingRun(ctx, { id, kind });
  return {};
};

const replyDay = async (ctx: Context, day: string) => (await nextWorkingDay(ctx, day, null)) ?? day;

/** The words of the letter, which stay as they are from the release on. */
interface LetterFacts {
  kind: string;
  child: string;
  grade: string;
  year: string;
  amount: string;
  replyBy: string;
  conditions: string;
}

const publishedWords: Record<string, string> = {
  Offer: publishedAs.Offered ?? '',
  Waitlist: publishedAs.Waitlisted ?? '',
  Reject: 'No place offered',
};

/** Releases the held decision of one child: its state, the frozen words of its letter, and the message to the family. */
export const releaseOne: RunAct = async (ctx, id) => {
  await sql`select from academic_year where id = (select academic_year_id from admission_inquiry where id = ${id})
    for share`.execute(ctx.db);
  const row = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .where('inquiry.id', '=', id)
    .where(isReachedByStarter(ctx))
    .selectAll('inquiry')
    .select(['year.name as year', 'year.status as year_status', 'grade.name as grade'])
    .forUpdate('inquiry')
    .executeTakeFirst();
  if (!row) return outOfReach;
  if (row.year_status === 'Closed') return yearClosed;
  if (!row.held_decision_id) return noLonger;
  const decision = await ctx.db
    .selectFrom('admission_decision as decision')
    .leftJoin('admission_seat as seat', 'seat.id', 'decision.seat_id')
    .leftJoin('academic_lookup as reason', 'reason.id', 'decision.reason_id')
    .where('decision.id', '=', row.held_decision_id)
    .select(['decision.id', 'decision.kind', 'decision.conditions', 'decision.offer_until', 'decision.reason_id'])
    .select(['decision.remark', 'seat.offer_days', 'seat.admission_fee', 'reason.name as reason'])
    .executeTakeFirstOrThrow();
  const today = toLocalDate(ctx.now());
  const isOffer = decision.kind === 'Offer';
  const replyBy = !isOffer
    ? ''
    : (decision.offer_until ?? (await replyDay(ctx, addDays(today, decision.offer_days ?? 7))));
  const isPaid =
    isOffer &&
    (await ctx.db
      .selectFrom('admission_payment')
      .where('inquiry_id', '=', id)
      .where('reversed_at', 'is', null)
      .select('id')
      .executeTakeFirst()) !== undefined;
  const state: InquiryState = isPaid
    ? 'Seat confirmed'
    : isOffer
      ? 'Offered'
      : decision.kind === 'Waitlist'
        ? 'Waitlisted'
        : 'Rejected';
  const letter: LetterFacts = {
    kind: decision.kind,
    child: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.inquiry_no,
    grade: row.grade,
    year: row.year,
    amount: isOffer && !isPaid && Number(decision.admission_fee) > 0 ? showMoney(Number(decision.admission_fee)) : '',
    replyBy: replyBy && showDate(replyBy),
    conditions: decision.conditions,
  };
  await ctx.db
    .updateTable('admission_decision')
    .set({ released_at: ctx.now(), letter: JSON.stringify(letter) })
    .where('id', '=', decision.id)
    .execute();
  await ctx.db
    .updateTable('admission_inquiry')
    .set({
      state,
      status: isPaid ? (publishedAs['Seat confirmed'] ?? '') : (publishedWords[decision.kind] ?? ''),
      held_kind: null,
      held_decision_id: null,
      version: row.version + 1,
      ...(isOffer && { offer_expires_on: replyBy, waitlist_position: null }),
      ...(decision.kind === 'Reject' && {
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
