import { type RawBuilder, sql } from 'kysely';
import { staff, studentReaders } from '#access/contract/grants.ts';
import { reportCard } from '#features/staff/contract/cards.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { recordCard } from '#kit/contract/record-card.ts';
import { mostNext } from '#kit/contract/served-card.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { inPeriod } from '#kit/server/period.ts';
import { isVisible } from './visible.ts';

const most = 8;

/** The tickets about a person that exist for the user, open tickets first. */
async function readAbout(ctx: UserContext, isAbout: RawBuilder<boolean>) {
  const { rows } = await sql<{ number: string; subject: string; status: string; open: number; all: number }>`
    select ticket.ticket_no as number, ticket.subject, ticket.status,
      count(*) filter (where ticket.status in ('Open', 'In progress', 'On hold')) over ()::integer as open,
      count(*) over ()::integer as "all"
    from ticket where ${isAbout} and ${isVisible(ctx.user, toLocalDate(ctx.now()))}
    order by ticket.status in ('Resolved', 'Closed', 'Cancelled'), ticket.id desc limit ${most}`.execute(ctx.db);
  const [first] = rows;
  return {
    asOf: '',
    facts: first
      ? [
          { label: text`Open`, value: verbatim(String(first.open)) },
          { label: text`All`, value: verbatim(String(first.all)) },
        ]
      : [],
    table:
      rows.length === 0
        ? null
        : {
            heads: [text`Ticket number`, text`Subject`, text`Status`],
            rows: rows.map(({ number, subject, status }) => [number, subject, status].map(verbatim)),
          },
    to: '',
    empty: text`No tickets.`,
  };
}

/** Tickets about a student; of an Admin, who reads no tickets, none. */
export const studentTickets: ServedCard = {
  card: studentCard(
    'ticket',
    'now',
    70,
    text`Tickets`,
    studentReaders.filter(({ role }) => role === 'Staff'),
  ),
  read: (ctx, id) => readAbout(ctx, sql<boolean>`ticket.about_student_id = ${id}`),
  next: async ({ db, user, now }, id) => {
    const { rows } = await sql<{ id: number; number: string; subject: string; dueOn: string | null; isLate: boolean }>`
      select ticket.id, ticket.ticket_no as number, ticket.subject, coalesce(resolution_due_at <= ${now()}, false) as "isLate",
        (resolution_due_at at time zone ${localTimeZone})::date::text as "dueOn"
      from ticket where ticket.about_student_id = ${id} and ticket.status in ('Open', 'In progress', 'On hold')
        and ${isVisible(user, toLocalDate(now()))}
      order by resolution_due_at, ticket.id limit ${mostNext}`.execute(db);
    return rows.map(({ id: ticket, number, subject, dueOn, isLate }) => ({
      title: verbatim(subject),
      about: verbatim(''),
      detail: dueOn ? text`Ticket ${{ number }}, due on ${{ day: showDate(dueOn) }}` : text`Ticket ${{ number }}`,
      isLate,
      to: `/school-erp/ticket/ticket-entry/${ticket}`,
    }));
  },
};

/** Tickets about a colleague, as far as they exist for the reader. */
export const staffTickets: ServedCard = {
  card: recordCard<StaffRecord>()({
    record: 'staff',
    key: 'ticket',
    part: 'profile',
    order: 95,
    title: text`Tickets`,
    access: [staff('hr', 'principal')],
  }),
  read: (ctx, id) => readAbout(ctx, sql<boolean>`ticket.about_staff_id = ${id}`),
};

/** The tickets of a period that a person worked on, as far as they exist for the reader, and how many were in time. */
export const staffWork: ServedCard = {
  card: reportCard('ticket-work', 'school', 70, text`Tickets worked on`, [staff('hr', 'principal')]),
  read: async (ctx, id, period) => {
    const { rows } = await sql<{ open: number; resolved: number; inTime: number }>`
      select count(*) filter (where status in ('Open', 'In progress', 'On hold'))::integer as open,
        count(*) filter (where resolved_at is not null)::integer as resolved,
        count(*) filter (where resolved_at is not null and coalesce(resolved_at <= resolution_due_at, true))::integer as "inTime"
      from ticket where assignee_id = ${id} and ${isVisible(ctx.user, toLocalDate(ctx.now()))}
        and ${inPeriod(sql`(coalesce(resolved_at, raised_at) at time zone ${localTimeZone})::date`, period)}`.execute(
      ctx.db,
    );
    const { open, resolved, inTime } = rows[0] ?? { open: 0, resolved: 0, inTime: 0 };
    const facts = [
      { label: text`Open`, value: String(open) },
      { label: text`Resolved`, value: String(resolved) },
      ...(resolved > 0
        ? [{ label: text`Resolved in time`, value: `${inTime} (${((100 * inTime) / resolved).toFixed(1)} %)` }]
        : []),
    ];
    return {
      asOf: '',
      facts: open + resolved === 0 ? [] : facts.map(({ label, value }) => ({ label, value: verbatim(value) })),
      table: null,
      to: '',
      empty: text`No tickets in these days.`,
    };
  },
  today: async (ctx, id) => {
    const { rows } = await sql<{ open: number; late: number }>`
      select count(*)::integer as open, count(*) filter (where resolution_due_at < ${ctx.now()})::integer as late
      from ticket where assignee_id = ${id} and status in ('Open', 'In progress', 'On hold')
        and ${isVisible(ctx.user, toLocalDate(ctx.now()))}`.execute(ctx.db);
    const { open, late } = rows[0] ?? { open: 0, late: 0 };
    if (open === 0) return undefined;
    return {
      label: text`Tickets`,
      value: text`${{ open }} open`,
      detail: late > 0 ? text`${{ late }} late` : verbatim(''),
      isLate: late > 0,
    };
  },
};
