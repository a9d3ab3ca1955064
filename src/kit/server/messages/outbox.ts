import { sql } from 'kysely';
import { english, type Text } from '#kit/contract/text.ts';
import { type Context, contextOutside, type Services } from '#kit/server/context.ts';
import type { Job } from '#kit/server/job/jobs.ts';
import { audit } from '#kit/server/security/audit.ts';
import type { Senders } from './mail.ts';

/** What a message says; an empty line stands between paragraphs. */
export interface Rendered {
  subject: Text;
  paragraphs: readonly Text[];
}

/** A message as it is sent. */
interface Written {
  subject: string;
  text: string;
}

/** Makes a message's text from the id it was stored with; undefined when there is nothing left to say. */
export type Template = (services: Services, subjectId: number) => Promise<Rendered | undefined>;

interface Message {
  channel: 'email' | 'sms';
  template: string;
  /** Without one it is closed at once: it costs as much as one that is sent, so that the time does not tell them apart. */
  recipient: string | null;
  /** The row the message is about. Codes and links are never stored: the template makes them when it is sent. */
  subjectId: number;
  /** At most one message is ever queued under the same key. */
  dedupeKey?: string;
}

/** Puts a message into the outbox within the business transaction: it is sent if and only if that is kept. */
export const queueMessage = (ctx: Context, message: Message): Promise<void> => queueMessages(ctx, [message]);

/** As `queueMessage`, for several; the statement is the same for any number of them, also for none. */
export async function queueMessages(ctx: Context, messages: readonly Message[]): Promise<void> {
  const columnOf = <Name extends keyof Message>(name: Name) => messages.map((message) => message[name] ?? null);
  await sql`
    with queued as (
      insert into outbox (channel, template, recipient, subject_id, dedupe_key, status)
      select message.*, case when message.recipient is null then 'expired' else 'queued' end
      from unnest(
        ${columnOf('channel')}::text[], ${columnOf('template')}::text[], ${columnOf('recipient')}::text[],
        ${columnOf('subjectId')}::integer[], ${columnOf('dedupeKey')}::text[]
      ) as message (channel, template, recipient, subject_id, dedupe_key)
      on conflict (dedupe_key) do nothing
      returning id
    )
    select queue_sending(id) from queued
  `.execute(ctx.db);
}

/** Asks once more for the jobs of every message that waits: a restored database has the messages, but no jobs. */
export const queueWaiting = ({ db }: Services) =>
  sql`select queue_sending(id) from outbox where status = 'queued' and queued_at > now() - ${lasts}::interval`.execute(
    db,
  );

/** Older messages are not sent any more. */
const lasts = '3 days';

/**
 * Sends one message: the job of every row of the outbox. Throws when it was not taken over and is to be tried again. What
 * was sent, given up, or had nothing left to say keeps no address (decision 3). Sent at least once: a process that
 * is killed between sending and writing it down sends again, under the same id.
 */
export async function sendMessage(
  services: Services,
  templates: Record<string, Template>,
  senders: Senders,
  id: number,
  { isLastTry }: Job,
) {
  const row = await services.db
    .selectFrom('outbox')
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .select(['channel', 'template', 'recipient', 'subject_id'])
    .select(sql<boolean>`queued_at < now() - ${lasts}::interval`.as('isOld'))
    .executeTakeFirst();
  const send = row && senders[row.channel as keyof Senders];
  // Without a sender it waits; the next start with one asks again.
  if (!row?.recipient || !send) return;
  const template = templates[row.template];
  const rendered = row.isOld ? undefined : template && (await render(services, template, row.subject_id));
  if (!rendered) return close(services, id, 'expired');
  try {
    await send({ id, template: row.template, to: row.recipient, ...rendered });
  } catch (error) {
    const reason = reasonOf(error);
    await services.db.updateTable('outbox').set({ last_error: reason }).where('id', '=', id).execute();
    if (isLastTry) return close(services, id, 'failed');
    // Of the error only its code: its words may hold the address and what was said to it.
    throw new Error(`Message ${id} was not sent: ${reason}`);
  }
  return close(services, id, 'sent');
}

async function close(services: Services, id: number, status: 'sent' | 'failed' | 'expired') {
  await services.db.transaction().execute(async (db) => {
    await db
      .updateTable('outbox')
      .set({ status, recipient: null, ...(status === 'sent' && { sent_at: services.now(), last_error: null }) })
      .where('id', '=', id)
      .execute();
    if (status !== 'failed') return;
    const ctx = { ...contextOutside(services, `message ${id}`), db };
    await audit(ctx, { actor: 'System', action: 'message.failed', entity: 'outbox', entityId: id, result: 'refused' });
  });
}

/** What went wrong, without a name: the code of a network or mail error, and what the other side answered with. */
function reasonOf(error: unknown): string {
  const { code, responseCode, name, cause } = error as {
    code?: unknown;
    responseCode?: unknown;
    name?: unknown;
    cause?: unknown;
  };
  const parts = [code ?? (cause as { code?: unknown })?.code ?? name, responseCode].filter(Boolean).map(String);
  return parts.join(' ').slice(0, 200);
}

/** Makes a message's text now. A subject is one line whatever a name in it holds, so that it cannot become a header (E4). */
export async function render(services: Services, template: Template, subjectId: number): Promise<Written | undefined> {
  const rendered = await template(services, subjectId);
  if (!rendered) return undefined;
  const { subject, paragraphs } = rendered;
  return { subject: english(subject).replace(/\s+/g, ' '), text: paragraphs.map(english).join('\n\n') };
}

/** The newest messages that wait, rendered as they would be sent now; for the outbox page of development. */
export async function listOutbox(services: Services, templates: Record<string, Template>) {
  const rows = await services.db
    .selectFrom('outbox')
    .select(['id', 'channel', 'template', 'recipient', 'subject_id', 'queued_at'])
    .where('status', '=', 'queued')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  return Promise.all(
    rows.map(async (row) => {
      const template = templates[row.template];
      return { ...row, rendered: template && (await render(services, template, row.subject_id)) };
    }),
  );
}
