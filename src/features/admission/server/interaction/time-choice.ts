import { sql } from 'kysely';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { minuteOf, slotsOf } from '#kit/contract/slots.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { type TimeChoice, timeChoiceApi } from '../../contract/time-choice.ts';
import { mayCall } from '../abilities.ts';
import { lockApplications } from '../decision/decide.ts';
import { applicationsSelected } from '../decision/process-list.ts';
import { literals } from '../literals.ts';
import { lockSeatsAt, proposedSeat, seatsAt } from '../seat/seat-lock.ts';
import { isSeatReached } from '../seat/seat-read.ts';
import { addSlots } from './book.ts';
import { plannable, requireAssessors, whyNotPlanned } from './plannable.ts';
import { requireSchoolDay, slotRules } from './slot-rules.ts';
import { exampleOfInvitation, inviteFamilies } from './tell-families.ts';

const isPlanned = text`Has an interaction planned already.`;
const otherYear = text`Is in another academic year than the first child.`;
const isOver = text`This choice is over.`;

/** True in a query of `inquiry`: an interaction of a `choice`’s kind is planned with the child from now on. */
const hasTime = ({ now }: Pick<Context, 'now'>) => sql<boolean>`exists (select from admission_interaction planned
  where planned.inquiry_id = inquiry.id and planned.kind = choice.kind and planned.status = 'Planned'
    and planned.ends_at > ${now()})`;

/** True in a query of `inquiry`: the application waits for an interaction, as far as its state says. */
const isWaiting = sql<boolean>`(inquiry.state in (${literals(plannable)}) and inquiry.held_kind is null
  and inquiry.quota <> 'RTE')`;

const nameOf = sql<string>`coalesce(nullif(trim(concat_ws(' ', inquiry.first_name, inquiry.last_name)), ''), inquiry.inquiry_no)`;

const list: Handler<typeof timeChoiceApi.list> = async (ctx) => {
  const now = ctx.now();
  const may = mayCall(ctx.user, { remind: timeChoiceApi.remind, end: timeChoiceApi.end });
  const { rows } = await sql<Omit<TimeChoice, 'may'>>`
    select choice.id, choice.kind, to_json(choice.until) #>> '{}' as until,
      choice.ended_at is null and choice.until > ${now} as "isOpen", slots.places, slots.free, slots.days,
      coalesce((select json_agg(json_build_object('id', inquiry.id, 'name', ${nameOf},
          'startsAt', coalesce(to_json(planned.starts_at) #>> '{}', ''),
          'isChosen', planned.chosen_at is not null) order by planned.starts_at nulls first, ${nameOf}, inquiry.id)
        from admission_time_choice_family family join admission_inquiry inquiry on inquiry.id = family.inquiry_id
        left join lateral (select own.starts_at, own.chosen_at from admission_interaction own
          where own.inquiry_id = inquiry.id and own.kind = choice.kind and own.status = 'Planned' and own.ends_at > ${now}
          order by own.starts_at limit 1) as planned on true
        where family.choice_id = choice.id and (planned.starts_at is not null or ${isWaiting})), '[]') as families
    from admission_time_choice choice
    join lateral (select sum(capacity)::integer as places, sum(capacity - booked)::integer as free,
        json_agg(distinct (starts_at at time zone 'Asia/Kolkata')::date::text) as days
      from admission_slot slot where slot.choice_id = choice.id and slot.cancelled_at is null and slot.starts_at > ${now}
      having count(*) > 0) as slots on true
    where ${isSeatReached(ctx.user, sql`choice.branch_id`)}
    order by choice.until, choice.id limit 50`.execute(ctx.db);
  return rows.map((row) => ({
    ...row,
    may: {
      remind: may.remind && row.isOpen && row.families.some(({ startsAt }) => startsAt === ''),
      end: may.end && (row.isOpen || row.free > 0),
    },
  }));
};

/** The children that have an interaction of a kind before them. */
async function childrenWithTime({ db, now }: UserContext, ids: readonly number[], kind: string) {
  const rows = await db
    .selectFrom('admission_interaction')
    .where('inquiry_id', '=', sql<number>`any(${ids}::integer[])`)
    .where('kind', '=', kind)
    .where('status', '=', 'Planned')
    .where('ends_at', '>', now())
    .select('inquiry_id')
    .execute();
  return new Set(rows.map(({ inquiry_id }) => inquiry_id));
}

const offer: Handler<typeof timeChoiceApi.offer> = (ctx, { confirmToken, selection, ...asked }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const kind = asked.kind as 'Interaction';
    const assessorIds = [asked.assessorId, asked.secondAssessorId, asked.thirdAssessorId].filter((one) => one !== null);
    const [minutes, gap, capacity] = [Number(asked.minutes), Number(asked.pause), Number(asked.capacity)];
    const days = [...new Set([asked.day, asked.secondDay, asked.thirdDay].filter(Boolean))].toSorted();
    const spans = slotsOf({ from: minuteOf(asked.from), to: minuteOf(asked.to), minutes, gap });
    if (spans.length === 0) throw fieldRefusal('to', text`No slot fits between From and To.`);
    const slots = days.flatMap((day) => {
      const midnight = new Date(`${day}T00:00:00+05:30`).getTime();
      return spans.map(({ from, to }) => ({
        day,
        startsAt: new Date(midnight + from * 60_000),
        endsAt: new Date(midnight + to * 60_000),
      }));
    });
    const until = new Date(`${asked.untilDay}T${asked.untilHour}:00+05:30`);
    refuseTimes(ctx, slots[0]?.startsAt ?? until, until);
    await requireAssessors(ctx, assessorIds);
    const rows = await lockApplications(ctx, await applicationsSelected(ctx, selection));
    const seats = await lockSeatsAt(ctx, rows);
    const [first] = rows;
    const withTime = await childrenWithTime(
      ctx,
      rows.map(({ id }) => id),
      kind,
    );
    const decided = rows.map((row) => ({
      row,
      reason:
        whyNotPlanned(row, proposedSeat(seatsAt(seats, row), row.quota)?.interaction, kind, first?.branch_id) ??
        whyNotInvited(row.academic_year_id !== first?.academic_year_id, withTime.has(row.id)),
    }));
    const chosen = decided.flatMap(({ row, reason }) => (reason ? [] : [row]));
    if (!asked.onHoliday) for (const day of days) await requireSchoolDay(ctx, day, first?.academic_year_id);
    if (first && chosen.length > 0) {
      const { id: choiceId } = await ctx.db
        .insertInto('admission_time_choice')
        .values({
          branch_id: first.branch_id,
          academic_year_id: first.academic_year_id,
          kind,
          until,
          made_by: ctx.user.staffId as number,
          made_at: ctx.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const ids = chosen.map(({ id }) => id);
      await sql`insert into admission_time_choice_family (choice_id, inquiry_id)
        select ${choiceId}, unnest(${ids}::integer[])`.execute(ctx.db);
      const { roomId, place } = asked;
      const common = { branchId: first.branch_id, yearId: first.academic_year_id, roomId, place, capacity };
      await withConstraintMessages(ctx, slotRules, () =>
        addSlots(ctx, { kind, ...common, assessorIds, slots, choiceId }),
      );
      await auditEach(
        ctx,
        { action: 'admission.interaction.offered', entity: 'admission_inquiry', details: { Kind: kind } },
        ids,
      );
      if (!isPreview) await inviteFamilies(ctx, chosen, choiceId);
    }
    return {
      answer: {
        days: days.map((day) => ({
          day,
          times: slots.flatMap((slot) => (slot.day === day ? [slot.startsAt.toISOString()] : [])),
        })),
        places: slots.length * capacity,
        families: chosen.length,
        skipped: decided.flatMap(({ row, reason }) => (reason ? [{ id: row.id, name: row.name, reason }] : [])),
        example: isPreview ? await exampleOfInvitation(ctx, chosen) : null,
      },
      basis: [selection, asked, decided.map(({ row, reason }) => [row.id, row.version, reason?.id])],
      isRefused: chosen.length === 0,
    };
  });

function refuseTimes({ now }: UserContext, first: Date, until: Date) {
  if (first <= now()) throw fieldRefusal('day', text`Choose a time in the future.`);
  if (until <= now()) throw fieldRefusal('untilDay', text`Choose a time in the future.`);
  if (until > first) throw fieldRefusal('untilDay', text`Families must choose before the first slot.`);
}

const whyNotInvited = (isOfOtherYear: boolean, hasOne: boolean): Text | undefined =>
  isOfOtherYear ? otherYear : hasOne ? isPlanned : undefined;

/** A choice of the user’s branches, locked, with the families that have not chosen. */
async function lockChoice(ctx: UserContext, id: number) {
  const choice = await ctx.db
    .selectFrom('admission_time_choice as choice')
    .where('choice.id', '=', id)
    .where(isSeatReached(ctx.user, sql`choice.branch_id`))
    .select(['choice.id', 'choice.until', 'choice.ended_at'])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const { rows: waiting } = await sql<{ id: number; name: string }>`
    select inquiry.id, ${nameOf} as name from admission_time_choice choice
    join admission_time_choice_family family on family.choice_id = choice.id
    join admission_inquiry inquiry on inquiry.id = family.inquiry_id
    where choice.id = ${id} and ${isWaiting} and not ${hasTime(ctx)} order by name, inquiry.id`.execute(ctx.db);
  return { isOpen: choice.ended_at === null && choice.until > ctx.now(), waiting };
}

const remind: Handler<typeof timeChoiceApi.remind> = (ctx, { id, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { isOpen, waiting } = await lockChoice(ctx, id);
    if (!isOpen) throw new AppError('conflict', isOver);
    if (!isPreview) await inviteFamilies(ctx, waiting, id);
    return {
      answer: {
        children: waiting.map(({ name }) => name),
        example: isPreview ? await exampleOfInvitation(ctx, waiting) : null,
      },
      basis: [id, waiting.map((one) => one.id)],
      isRefused: waiting.length === 0,
    };
  });

const end: Handler<typeof timeChoiceApi.end> = (ctx, { id, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { waiting } = await lockChoice(ctx, id);
    await sql`update admission_time_choice set ended_at = ${ctx.now()} where id = ${id} and ended_at is null`.execute(
      ctx.db,
    );
    const { rows: cancelled } = await sql<{ id: number }>`
      update admission_slot slot set cancelled_at = ${ctx.now()}, version = version + 1
      where slot.choice_id = ${id} and slot.cancelled_at is null and slot.starts_at > ${ctx.now()} and slot.booked = 0
      returning slot.id`.execute(ctx.db);
    await sql`delete from admission_slot_assessor where slot_id = any(${cancelled.map((slot) => slot.id)}::integer[])
      and not exists (select from admission_interaction own where own.slot_id = admission_slot_assessor.slot_id
        and own.status <> 'Cancelled')`.execute(ctx.db);
    await auditEach(
      ctx,
      { action: 'admission.interaction.offer-ended', entity: 'admission_inquiry', details: {} },
      waiting.map((one) => one.id),
    );
    return {
      answer: { slots: cancelled.length, children: waiting.map(({ name }) => name) },
      basis: [id, cancelled.map((slot) => slot.id).toSorted((one, other) => one - other), waiting.map((one) => one.id)],
    };
  });

/** For the to-dos: families that have not chosen, of choices that are open or over while their slots are still to come. */
export const unchosen = (ctx: UserContext, most: number) => sql<{
  id: number;
  until: Date;
  families: number;
  total: number;
}>`
  select choice.id, choice.until, count(*)::integer as families, (count(*) over ())::integer as total
  from admission_time_choice choice
  join admission_time_choice_family family on family.choice_id = choice.id
  join admission_inquiry inquiry on inquiry.id = family.inquiry_id
  where choice.ended_at is null and ${isSeatReached(ctx.user, sql`choice.branch_id`)} and ${isWaiting} and not ${hasTime(ctx)}
    and exists (select from admission_slot slot where slot.choice_id = choice.id and slot.cancelled_at is null
      and slot.starts_at > ${ctx.now()})
  group by choice.id order by choice.until, choice.id limit ${most}`;

export default routes(timeChoiceApi, { list, offer, remind, end });
