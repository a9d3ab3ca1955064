import { sql } from 'kysely';
import { showDate, toLocalTime } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Todo, TodoSource } from '#kit/server/dashboard.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import { firstAccounts } from './account/list.ts';
import { firstApplications } from './decision/process-list.ts';
import { ofEveryYear } from './every-year.ts';
import { firstInquiries } from './inquiry/list.ts';
import { isOwnSlot, isSlotReached } from './interaction/slot-reach.ts';
import { unchosen } from './interaction/time-choice.ts';
import { firstForms } from './review/review-list.ts';

const office = { roles: ['Staff'], sets: ['office', 'admissionHead'] } as const;

/** The user's own calls; where the office assigns none to the user, those of all. */
async function ownCalls({ db, user }: UserContext): Promise<Record<string, string>> {
  const own = await db
    .selectFrom('admission_inquiry')
    .where('assigned_to_id', '=', user.staffId)
    .where('next_follow_up_on', 'is not', null)
    .select(sql<number>`1`.as('one'))
    .limit(1)
    .executeTakeFirst();
  return own ? { assignedToId: String(user.staffId) } : {};
}

/** What was noted last of each family, in quotation marks. */
async function lastWords({ db }: UserContext, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; note: string }>`
    select distinct on (inquiry_id) inquiry_id as id, note from admission_follow_up
    where inquiry_id = any(${[...ids]}::integer[]) order by inquiry_id, admission_follow_up.id desc`.execute(db);
  return new Map(rows.map(({ id, note }) => [id, `“${note}”`]));
}

const daysLate = (days: number): Text =>
  text({ message: '{days, plural, one {# day late} other {# days late}}' }, { days });

const callsOf = (when: 'late' | 'today', title: Text, query: Record<string, string>): TodoSource => ({
  kind: `call-${when}`,
  title,
  icon: 'call',
  ...office,
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const asked = { ...query, ...ofEveryYear, ...(await ownCalls(ctx)), sort: 'nextFollowUpOn' };
    const { rows, ...found } = await firstInquiries(ctx, 'admission/inquiry', asked, most);
    const words = await lastWords(
      ctx,
      rows.map(({ id }) => id),
    );
    return {
      ...found,
      rows: rows.map(({ id, child, grade, parent, mobile, nextFollowUpOn }) => ({
        id,
        when,
        title: child,
        about: grade,
        ...(when === 'late' && { due: daysLate(daysBetween(nextFollowUpOn, today)) }),
        detail: verbatim([parent, words.get(id)].filter(Boolean).join(' · ')),
        mobile,
        seen: nextFollowUpOn,
        to: `admission/inquiry/${id}`,
        act: text`Call`,
      })),
    };
  },
});

const overdueCalls = callsOf('late', text`Calls overdue`, { tab: 'overdue' });
const callsToday = callsOf('today', text`Calls today`, { followUp: 'Today' });

const waitingSince = (day: string): Text => text`Form submitted on ${{ day: showDate(day) }}`;
/** A form that waits longer is late. */
const lateAfter = 7;

const formsOf = (kind: string, title: Text, act: Text, query: Record<string, string>): TodoSource => ({
  kind,
  title,
  icon: 'form',
  ...office,
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const { rows, ...found } = await firstForms(
      ctx,
      'admission/review-list',
      { ...query, ...ofEveryYear, sort: 'submittedOn' },
      most,
    );
    return {
      ...found,
      rows: rows.map(
        ({ id, child, grade, submittedOn }): Todo => ({
          id,
          when: daysBetween(submittedOn, today) > lateAfter ? 'late' : 'today',
          ...(daysBetween(submittedOn, today) > lateAfter && {
            due: daysLate(daysBetween(submittedOn, today) - lateAfter),
          }),
          title: child,
          about: grade,
          detail: waitingSince(submittedOn),
          to: `admission/review-list/${id}`,
          act,
        }),
      ),
    };
  },
});

const ownForms = formsOf('form-mine', text`Forms to review`, text`Review`, { tab: 'mine' });
const freeForms = formsOf('form-free', text`Forms without a reviewer`, text`Open`, { tab: 'unassigned' });

const endingOffers: TodoSource = {
  kind: 'offer',
  title: text`Offers that end within 7 days`,
  icon: 'day',
  roles: ['Staff'],
  sets: ['admissionHead'],
  find: async (ctx, most) => {
    const query = { tab: 'offered', offer: 'Within 7 days', ...ofEveryYear };
    const { rows, ...found } = await firstApplications(ctx, 'admission/process-admission', query, most);
    return {
      ...found,
      rows: rows.map(
        ({ id, child, grade, offerExpiresOn }): Todo => ({
          id,
          when: offerExpiresOn === toLocalDate(ctx.now()) ? 'today' : 'soon',
          title: child,
          about: grade,
          detail: text`The offer ends on ${{ day: showDate(offerExpiresOn) }}`,
          to: `admission/process-admission/${id}`,
          act: text`Open`,
        }),
      ),
    };
  },
};

const accountsToCreate: TodoSource = {
  kind: 'account',
  title: text`Accounts to create`,
  icon: 'form',
  ...office,
  find: async (ctx, most) => {
    const query = { tab: 'toCreate', ...ofEveryYear };
    const { rows, ...found } = await firstAccounts(ctx, 'admission/confirm-admission', query, most);
    return {
      ...found,
      rows: rows.map(
        ({ id, child, grade, paidOn }): Todo => ({
          id,
          when: 'today',
          title: child,
          about: grade,
          detail: paidOn ? text`Admission fee paid on ${{ day: showDate(paidOn) }}` : text`The seat is confirmed`,
          to: `admission/confirm-admission/${id}`,
          act: text`Create`,
        }),
      ),
    };
  },
};

/** An assessor's planned interactions, and for the office today's in its branches. */
const nextInteractions: TodoSource = {
  kind: 'interaction',
  title: text`Interactions`,
  icon: 'day',
  roles: ['Staff'],
  sets: ['office', 'admissionHead', 'assessor'],
  find: async (ctx, most) => {
    const day = toLocalDate(ctx.now());
    const { rows } = await sql<{
      id: number;
      child: string;
      grade: string;
      place: string;
      startsAt: string;
      day: string;
    }>`
      select inquiry.id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as child,
        grade.name as grade, coalesce(room.name, slot.place) as place,
        to_char(slot.starts_at at time zone 'Asia/Kolkata', 'HH24:MI') as "startsAt",
        (slot.starts_at at time zone 'Asia/Kolkata')::date::text as day
      from admission_slot slot
      join admission_interaction own on own.slot_id = slot.id and own.status = 'Planned'
      join admission_inquiry inquiry on inquiry.id = own.inquiry_id
      join academic_grade grade on grade.id = inquiry.grade_id
      left join academic_room room on room.id = slot.room_id
      where slot.starts_at >= (${day}::date::timestamp at time zone 'Asia/Kolkata')
        and (${isOwnSlot(ctx)}
          or slot.starts_at < ((${day}::date + 1)::timestamp at time zone 'Asia/Kolkata') and ${isSlotReached(ctx)})
      order by slot.starts_at, inquiry.id limit ${most + 1}`.execute(ctx.db);
    return {
      total: rows.length,
      isMore: rows.length > most,
      to: 'admission/process-admission?show=slots',
      rows: rows.slice(0, most).map(
        ({ id, child, grade, place, startsAt, day: on }): Todo => ({
          id,
          when: on === day ? 'today' : 'soon',
          title: child,
          about: grade,
          detail:
            on === day
              ? text`Meeting ${{ time: startsAt }}, ${{ place }}`
              : text`Meeting ${{ day: showDate(on) }} ${{ time: startsAt }}, ${{ place }}`,
          to: `admission/process-admission/${id}`,
          act: text`Open`,
        }),
      ),
    };
  },
};

const withoutTime = (n: number): Text =>
  text(
    { message: '{n, plural, one {# family has not chosen a time} other {# families have not chosen a time}}' },
    { n },
  );

/** Choices of times in which families have none, the nearest end first. */
const timesToChoose: TodoSource = {
  kind: 'time-choice',
  title: text`Families without a time for the interaction`,
  icon: 'day',
  ...office,
  find: async (ctx, most) => {
    const { rows } = await unchosen(ctx, most).execute(ctx.db);
    const today = toLocalDate(ctx.now());
    return {
      total: rows[0]?.total ?? 0,
      to: 'admission/process-admission?show=slots',
      rows: rows.map(({ id, until, families }): Todo => {
        const day = toLocalDate(until);
        const at = `${showDate(day, today)}, ${toLocalTime(until)}`;
        const isOver = until <= ctx.now();
        return {
          id,
          when: isOver ? 'late' : day === today ? 'today' : 'soon',
          title: withoutTime(families),
          about: '',
          detail: isOver ? text`The choice ended on ${{ at }}` : text`They choose until ${{ at }}`,
          to: 'admission/process-admission?show=slots',
          act: text`Open`,
        };
      }),
    };
  },
};

export const admissionTodos = [
  overdueCalls,
  ownForms,
  callsToday,
  freeForms,
  endingOffers,
  accountsToCreate,
  nextInteractions,
  timesToChoose,
];
