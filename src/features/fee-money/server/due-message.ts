import { sql } from 'kysely';
import { firstContacts } from '#features/family/api.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { TextMessage } from '#kit/server/messages/text-message.ts';
import { earlyWords, examplePage } from './message-words.ts';
import { isForReminded, saidPaid } from './remind.ts';
import { tellsFamilies } from './settings.ts';
import { pageKind, pageOfReminder, tellWithPage } from './tell-with-page.ts';

const template = 'fee.due-day';
const sending = { kind: template, urgency: 'Must' } as const;

/** Fees of a day that are unpaid, by account; those for which a held cheque of that day has enough are left out. */
const dueOn = (day: string) => sql`
  select due.account_id, account.student_id, sum(due.net - due.paid)::bigint as owed
  from fee_due due join fee_account account on account.id = due.account_id
  where due.due_on = ${day}::date and due.paid < due.net and due.kind <> 'Fine' and account.student_id is not null
  group by 1, 2
  having sum(due.net - due.paid) > coalesce((select sum(cheque.amount) from fee_cheque cheque
    where cheque.student_id = account.student_id and cheque.status = 'Held' and cheque.dated_on <= ${day}::date), 0)`;

/** Tells families of the fees that fall due today: each guardian once for all children, and none who was reminded today. */
async function tellDue(ctx: Context): Promise<void> {
  if (!(await tellsFamilies(ctx))) return;
  const today = toLocalDate(ctx.now());
  const { rows: due } = await sql<{ accountId: number; studentId: number }>`
    select own.account_id as "accountId", own.student_id as "studentId" from (${dueOn(today)}) as own
    join student on student.id = own.student_id and student.left_on is null
    where not exists (select from fee_reminder_child child where child.account_id = own.account_id and child.day = ${today}::date)
    order by own.account_id`.execute(ctx.db);
  const ids = due.map(({ studentId }) => studentId);
  const contacts = await firstContacts(ctx, sending, ids);
  const said = await saidPaid(ctx, ids);
  const told = due.flatMap(({ accountId, studentId }) => {
    const contact = said.has(studentId) ? undefined : contacts.get(studentId);
    return contact ? [{ accountId, studentId, guardianId: contact.guardianId, way: contact.way }] : [];
  });
  const { rows: made } = await sql<{ id: number; guardianId: number }>`
    with own as (select * from unnest(${told.map(({ accountId }) => accountId)}::integer[],
        ${told.map(({ guardianId }) => guardianId)}::integer[]) as own (account_id, guardian_id)),
    made as (insert into fee_reminder (guardian_id, day) select distinct guardian_id, ${today}::date from own
      returning id, guardian_id),
    child as (insert into fee_reminder_child (account_id, day, reminder_id)
      select own.account_id, ${today}::date, made.id from own join made on made.guardian_id = own.guardian_id
      on conflict do nothing returning reminder_id)
    select distinct made.id, made.guardian_id as "guardianId" from made join child on child.reminder_id = made.id
    order by made.id`.execute(ctx.db);
  const of = Map.groupBy(told, ({ guardianId }) => guardianId);
  await tellWithPage(
    ctx,
    sending,
    made.flatMap(({ id, guardianId }) => {
      const own = of.get(guardianId) ?? [];
      const way = own.at(-1)?.way;
      const studentIds = own.map(({ studentId }) => studentId);
      return way ? [{ way, studentIds, subjectId: id, key: `${template} ${id}` }] : [];
    }),
  );
}

/** In the morning of the due day, so that it does not arrive at night. */
export const dailyDue: DailyTask = { name: 'fee-due-day', from: 9, until: 18, act: tellDue };

/** What is still unpaid when it is sent; none where all of it was paid, and none on a later day. */
const dueDay = (hasPage: boolean): Template => ({
  render: async (services, id) => {
    const { db, now } = services;
    const today = toLocalDate(now());
    const { rows } = await sql<{ name: string; owed: number; school: string; phone: string }>`
      select student.first_name as name, own.owed, school.name as school, school.phone
      from fee_reminder_child child join (${dueOn(today)}) as own on own.account_id = child.account_id
      join student on student.id = own.student_id cross join academic_school school
      where child.reminder_id = ${id} and child.day = ${today}::date order by student.id`.execute(db);
    const [first] = rows;
    if (!first) return undefined;
    const words = {
      children: rows.map(({ name }) => name).join(', '),
      amount: showMoney(rows.reduce((sum, { owed }) => sum + owed, 0)),
      day: today,
      school: first.school,
      phone: first.phone,
    };
    return earlyWords(words, hasPage ? await pageOfReminder(services, id) : undefined);
  },
  isFor: isForReminded,
});

export const dueMessages = { [template]: dueDay(false), [pageKind(template)]: dueDay(true) };

export const dueTexts: Record<string, TextMessage> = {
  [template]: {
    when: text`On the day on which fees fall due, where the setting says so.`,
    example: ({ name, phone }) =>
      earlyWords({ children: 'Aarohi', amount: '₹7,500.00', day: '2027-04-10', school: name, phone }),
  },
  [pageKind(template)]: {
    when: text`On the day on which fees fall due, to a family that has a page, where the setting says so.`,
    example: ({ name, phone }, publicUrl) =>
      earlyWords(
        { children: 'Aarohi', amount: '₹7,500.00', day: '2027-04-10', school: name, phone },
        examplePage(publicUrl),
      ),
  },
};
