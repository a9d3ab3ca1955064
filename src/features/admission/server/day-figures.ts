import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { DashboardChart, DayFigure } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { isReached } from './scope.ts';

const inquiries = 'admission/inquiry';
const forSchool = { roles: ['Staff'], sets: ['office', 'principal', 'admissionHead'] } as const;

export const inquiriesFigure: DayFigure = {
  title: text`Inquiries`,
  place: 45,
  ...forSchool,
  read: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ today: number; before: number }>`
      select count(*) filter (where day = ${today}::date)::integer as today,
        count(*) filter (where day <> ${today}::date)::integer as before
      from (select (inquiry.created_at at time zone 'Asia/Kolkata')::date as day from admission_inquiry inquiry
        where inquiry.created_at > ${addDays(today, -2)}::date and ${isReached(user)}) as own
      where day >= ${addDays(today, -1)}::date`.execute(db);
    const { today: value, before } = rows[0] ?? { today: 0, before: 0 };
    return { value, unit: 'number', words: text`new`, before: text`${{ before }} yesterday`, to: inquiries };
  },
};

/** The year for which most inquiries of the last months were made, and how far its children have come. */
async function readStages({ db, user, now }: UserContext) {
  const { rows } = await sql<{
    year: string;
    inquiries: number;
    sent: number;
    received: number;
    offered: number;
    paid: number;
  }>`
    select year.name as year, own.* from (
      select inquiry.academic_year_id, count(*)::integer as inquiries,
        count(*) filter (where inquiry.link_sent_at is not null or inquiry.received_at is not null)::integer as sent,
        count(*) filter (where inquiry.received_at is not null)::integer as received,
        count(*) filter (where paid.is_paid or exists (select from admission_decision decision
          where decision.inquiry_id = inquiry.id and decision.kind = 'Offer' and decision.released_at is not null
            and decision.cancelled_at is null))::integer as offered,
        count(*) filter (where paid.is_paid)::integer as paid
      from admission_inquiry inquiry
      cross join lateral (select inquiry.student_id is not null or exists (select from admission_payment payment
        where payment.inquiry_id = inquiry.id and payment.reversed_at is null) as is_paid) as paid
      where ${isReached(user)} group by 1) as own
    join academic_year year on year.id = own.academic_year_id
    where year.ends_on >= ${toLocalDate(now())}::date order by year.starts_on desc limit 1`.execute(db);
  return rows[0];
}

/** How far the children have come who are to be admitted next. */
export const admissionsChart: DashboardChart = {
  title: text`Admissions`,
  place: 30,
  to: 'admission/process-admission',
  ...forSchool,
  read: async (ctx) => {
    const found = await readStages(ctx);
    if (!found) return undefined;
    const { year, inquiries: all, sent, received, offered, paid } = found;
    return {
      kind: 'rows',
      says: text`${{ year }}: ${{ paid }} of ${{ all }} children have paid`,
      unit: 'number',
      rows: [
        { label: text`Inquiries`, value: all },
        { label: text`Form sent`, value: sent },
        { label: text`Form received`, value: received },
        { label: text`Offered`, value: offered },
        { label: text`Fee paid`, value: paid },
      ],
    };
  },
};
