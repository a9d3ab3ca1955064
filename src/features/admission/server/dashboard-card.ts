import { sql } from 'kysely';
import { openStates } from '#features/admission-form/contract/state.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { isReached } from './scope.ts';
import { isSeatReached } from './seat-read.ts';

/** The follow-ups of the office; each number is that of the list it opens. */
export const inquiryCard: DashboardCard = {
  title: text`Inquiries`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: async ({ db, now, user }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ overdue: number; today: number; fresh: number }>`
      select count(*) filter (where next_follow_up_on < ${today}::date)::integer as overdue,
        count(*) filter (where next_follow_up_on = ${today}::date)::integer as today,
        count(*) filter (where state = 'New')::integer as fresh
      from admission_inquiry inquiry where state = any(${[...openStates]}) and ${isReached(user)}`.execute(db);
    const [{ overdue, today: due, fresh }] = rows as [(typeof rows)[0]];
    return [
      {
        label: text`Overdue follow-ups`,
        value: overdue,
        isProblem: true,
        to: 'admission/inquiry?tab=overdue',
      },
      { label: text`Follow-ups today`, value: due, to: 'admission/inquiry?followUp=Today' },
      { label: text`New, form not sent`, value: fresh, to: 'admission/inquiry?tab=fresh' },
    ];
  },
};

/** The forms that wait for the office; each number is that of the list it opens. */
export const reviewCard: DashboardCard = {
  title: text`Forms to review`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: async ({ db, now, user }) => {
    const { rows } = await sql<{ unassigned: number; mine: number; late: number; family: number }>`
      select count(*) filter (where is_waiting and reviewer_id is null)::integer as unassigned,
        count(*) filter (where is_waiting and reviewer_id = ${user.staffId})::integer as mine,
        count(*) filter (where is_waiting and received_at < ${now()}::timestamptz - interval '7 days')::integer as late,
        count(*) filter (where not is_waiting)::integer as family
      from (select reviewer_id, received_at, state <> 'Correction requested' as is_waiting from admission_inquiry inquiry
        where state in ('Submitted', 'Under review', 'Correction requested') and ${isReached(user)}) as form`.execute(
      db,
    );
    const [{ unassigned, mine, late, family }] = rows as [(typeof rows)[0]];
    return [
      { label: text`Without a reviewer`, value: unassigned, to: 'admission/review-list?tab=unassigned' },
      { label: text`Mine`, value: mine, to: 'admission/review-list?tab=mine' },
      {
        label: text`Waiting more than 7 days`,
        value: late,
        isProblem: true,
        to: 'admission/review-list?waiting=More+than+7+days',
      },
      { label: text`With the family for a correction`, value: family, to: 'admission/review-list?tab=correction' },
    ];
  },
};

/** The children with a confirmed seat who are no students yet. */
export const accountCard: DashboardCard = {
  title: text`Accounts to create`,
  roles: ['Staff'],
  sets: ['office', 'admissionHead'],
  count: async ({ db, user }) => {
    const { waiting } = await db
      .selectFrom('admission_inquiry as inquiry')
      .where('state', '=', 'Seat confirmed')
      .where(isReached(user))
      .select(sql<number>`count(*)::integer`.as('waiting'))
      .executeTakeFirstOrThrow();
    return [{ label: text`Seats confirmed`, value: waiting, to: 'admission/confirm-admission?tab=toCreate' }];
  },
};

/** The applications before their account; each number is that of the list it opens. */
export const processCard: DashboardCard = {
  title: text`Admissions`,
  roles: ['Staff'],
  sets: ['admissionHead', 'office', 'accountant'],
  count: async ({ db, now, user }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ open: number; held: number; ending: number }>`
      select count(*) filter (where held_kind is null
          and state in ('Verified', 'Interaction planned', 'Interaction done'))::integer as open,
        count(*) filter (where held_kind is not null)::integer as held,
        count(*) filter (where state = 'Offered' and offer_expires_on between ${today}::date
          and ${addDays(today, 7)}::date)::integer as ending
      from admission_inquiry inquiry where ${isSeatReached(user, sql`inquiry.branch_id`)}
        and state in ('Verified', 'Interaction planned', 'Interaction done', 'Waitlisted', 'Offered')`.execute(db);
    const [{ open, held, ending }] = rows as [(typeof rows)[0]];
    return [
      { label: text`To decide`, value: open, to: 'admission/process-admission?tab=toDecide' },
      { label: text`Decisions to release`, value: held, to: 'admission/process-admission?tab=held' },
      {
        label: text`Offers that end within 7 days`,
        value: ending,
        isProblem: true,
        to: 'admission/process-admission?tab=offered&offer=Within+7+days',
      },
    ];
  },
};
