import { sql } from 'kysely';
import { dayOf, isFresh, isOpenOn } from '#features/sign-in/api.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { notifyEach } from '#kit/server/messages/notifications.ts';
import { queueMessages, type Template } from '#kit/server/messages/outbox.ts';
import { readSetting } from '#kit/server/settings.ts';
import { sendsEmail } from './settings.ts';

/** Number and category: a notice names neither the subject nor a person. */
interface Named {
  number: string;
  category: string;
}

const words = {
  assigned: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) is assigned to you.`,
  queued: ({ number, category }: Named) =>
    text`Ticket ${{ number }} (${{ category }}) waits in the queue of your department.`,
  answered: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) has a new reply.`,
  held: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) is on hold.`,
  resolved: ({ number, category }: Named) =>
    text`Ticket ${{ number }} (${{ category }}) is resolved. Confirm it, or reopen it.`,
  reopened: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) was reopened.`,
  cancelled: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) was cancelled.`,
  unanswered: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) has no answer yet.`,
  soon: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) is due soon.`,
  overdue: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) is overdue.`,
  late: ({ number, category }: Named) => text`Ticket ${{ number }} (${{ category }}) is overdue by a working day.`,
  reminded: ({ number, category }: Named) => text`A reminder of ticket ${{ number }} (${{ category }}).`,
} satisfies Record<string, (of: Named) => Text>;
export type NoticeWord = keyof typeof words;

interface Told {
  id: number;
  ticketNo: string;
  category: string;
  version: number;
}

const pathOf = (id: number) => `/school-erp/ticket/ticket-entry/${id}`;
export const noticeKey = (id: number) => `ticket ${id}`;

interface News extends Told {
  word: NoticeWord;
  staffIds: readonly (number | null)[];
  /** Tells two of the same word about one ticket apart. */
  turn: string;
}

/** Tells people of tickets by bell and, where the setting says so, by email. The user who acts is told nothing. */
export async function tellMany(ctx: ActingContext, news: readonly News[]) {
  const staffIds = [...new Set(news.flatMap((one) => one.staffIds))].filter(
    (id) => id !== null && id !== ctx.user?.staffId,
  );
  if (staffIds.length === 0) return;
  const { rows: accounts } = await sql<{ id: number; staffId: number; email: string | null }>`
    select account.id, account.staff_id as "staffId", case when not ${isFresh('staff.email_changed_at')} then staff.email end as email
    from sign_in_account account join staff on staff.id = account.staff_id
    where account.staff_id = any(${staffIds}::integer[]) and ${isOpenOn(dayOf(ctx))}`.execute(ctx.db);
  const byStaff = Map.groupBy(accounts, ({ staffId }) => staffId);
  const told = news.flatMap(({ staffIds: to, ...one }) =>
    [...new Set(to)].flatMap((id) => (byStaff.get(id ?? 0) ?? []).map((account) => ({ ...one, account }))),
  );
  await notifyEach(
    ctx,
    told.map(({ word, id, ticketNo, category, account }) => ({
      accountId: account.id,
      kind: `ticket.${word}`,
      text: words[word]({ number: ticketNo, category }),
      path: pathOf(id),
      key: noticeKey(id),
    })),
  );
  if (!(await readSetting(ctx, sendsEmail))) return;
  await queueMessages(
    ctx,
    told.flatMap(({ word, id, turn, account }) =>
      account.email === null
        ? []
        : [
            {
              channel: 'email' as const,
              template: `ticket.${word}`,
              recipient: account.email,
              subjectId: id,
              dedupeKey: `ticket ${id} ${word} ${turn} ${account.id}`,
            },
          ],
    ),
  );
}

/** As `tellMany`, of one ticket. */
export const tell = (
  ctx: ActingContext,
  word: NoticeWord,
  { id, ticketNo, category, version }: Told,
  staffIds: readonly (number | null)[],
) => tellMany(ctx, [{ id, ticketNo, category, version, word, staffIds, turn: String(version) }]);

/** The agents and the head of a department, or all of its people where it has neither. */
export async function queueReaders({ db, now }: Pick<Context, 'db' | 'now'>, departmentId: number): Promise<number[]> {
  const day = dayOf({ now });
  const { rows } = await sql<{ id: number; isAgent: boolean }>`
    select post.staff_id as id, 'ticketAgent' = any(coalesce(account.sets, '{}')) as "isAgent" from staff_post post
    left join sign_in_account account on account.staff_id = post.staff_id
    where post.department_id = ${departmentId}
      and ${day}::date between post.effective_from and coalesce(post.effective_to, 'infinity')
    union select staff_id, true from academic_department where id = ${departmentId} and staff_id is not null`.execute(
    db,
  );
  const agents = rows.filter(({ isAgent }) => isAgent);
  return (agents.length > 0 ? agents : rows).map(({ id }) => id);
}

const templateOf = (word: NoticeWord): Template => ({
  isFor: async ({ db, now }, { recipient }) => {
    const found = await db
      .selectFrom('sign_in_account as account')
      .innerJoin('staff', 'staff.id', 'account.staff_id')
      .where('staff.email', '=', recipient)
      .where(isOpenOn(dayOf({ now })))
      .select('account.id')
      .executeTakeFirst();
    return found !== undefined;
  },
  render: async ({ db, publicUrl }, id) => {
    const found = await db
      .selectFrom('ticket')
      .innerJoin('ticket_category as category', 'category.id', 'ticket.category_id')
      .where('ticket.id', '=', id)
      .select(['ticket_no', 'category.name'])
      .executeTakeFirst();
    if (!found) return undefined;
    const { ticket_no: number, name: category } = found;
    const address = `${publicUrl}${pathOf(id)}`;
    return {
      subject: text`Ticket ${{ number }}`,
      paragraphs: [words[word]({ number, category }), text`Sign in to read it: ${{ address }}`],
    };
  },
});

export const ticketTemplates = Object.fromEntries(
  (Object.keys(words) as NoticeWord[]).map((word) => [`ticket.${word}`, templateOf(word)]),
);
