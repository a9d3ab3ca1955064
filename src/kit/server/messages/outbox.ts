import { sql } from 'kysely';
import type { Language } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';
import { type Context, contextOutside, type Services } from '#kit/server/context.ts';
import type { Job } from '#kit/server/job/jobs.ts';
import { isTranslated, say } from '#kit/server/language/say.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSettings } from '#kit/server/settings.ts';
import type { Senders } from './mail.ts';
import { afterQuietHours, quietHours } from './quiet-hours.ts';
import { differs, type Rendered, smsWriter, textKey } from './text-message.ts';

/** A message as it is sent. */
interface Written {
  subject: string;
  text: string;
  /** In which it was really written. */
  language: Language;
}

/** A kind of message. */
export interface Template {
  /** Renders a message from its stored id, with the link of a version or else the present one; undefined when it no longer applies. */
  render: (services: Services, subjectId: number, version: number | null) => Promise<Rendered | undefined>;
  /**
   * Whether the recipient may still have it. It is asked after the rendering, so that a contact or link which changes
   * during the rendering is noticed. `as queued` where an old address is to have it too.
   */
  isFor: 'as queued' | ((services: Services, message: Queued) => Promise<boolean>);
}

/** A message as it was queued. */
export interface Queued {
  subjectId: number;
  recipient: string;
  version: number | null;
}

interface Message {
  channel: 'email' | 'sms';
  template: string;
  /** Without one the message is closed immediately; the cost is the same, so that the time reveals nothing. */
  recipient: string | null;
  /** Who reads it, in whose language it is written when it is sent; a template may name the language itself. */
  readerId?: number;
  /** The row that the message is about. Codes and links are never stored: the template creates them when it is sent. */
  subjectId: number;
  /** The version of the link in it. */
  version?: number;
  /** Only one message is ever queued under the same key. */
  dedupeKey?: string;
  /** A person waits for it, such as for a code: it is sent before others. */
  isAwaited?: boolean;
  /** It is sent from this moment on. */
  notBefore?: Date;
  /** It is not sent in the quiet hours. */
  keepsQuiet?: boolean;
  /** It keeps the reader's own quiet hours too. */
  waitsForReader?: boolean;
}

/** Adds a message to the outbox within the business transaction: it is sent only if that commits. */
export const queueMessage = (ctx: Context, message: Message): Promise<void> => queueMessages(ctx, [message]);

/** As `queueMessage`, for several; the statement is the same for any number, even none. */
export async function queueMessages({ db }: Context, messages: readonly Message[]): Promise<void> {
  const columnOf = <Name extends keyof Message>(name: Name) => messages.map((message) => message[name] ?? null);
  await sql`
    with queued as (
      insert into outbox (channel, template, recipient, subject_id, version, dedupe_key, is_awaited, not_before, keeps_quiet,
        reader_id, waits_for_reader, status)
      select message.*, case when message.recipient is null then 'expired' else 'queued' end
      from unnest(
        ${columnOf('channel')}::text[], ${columnOf('template')}::text[], ${columnOf('recipient')}::text[],
        ${columnOf('subjectId')}::integer[], ${columnOf('version')}::integer[], ${columnOf('dedupeKey')}::text[],
        ${messages.map(({ isAwaited = false }) => isAwaited)}::boolean[], ${columnOf('notBefore')}::timestamptz[],
        ${messages.map(({ keepsQuiet = false }) => keepsQuiet)}::boolean[], ${columnOf('readerId')}::integer[],
        ${messages.map(({ waitsForReader = false }) => waitsForReader)}::boolean[]
      ) as message (channel, template, recipient, subject_id, version, dedupe_key, is_awaited, not_before, keeps_quiet, reader_id,
        waits_for_reader)
      on conflict (dedupe_key) do nothing
      returning id
    )
    select queue_sending(id) from queued
  `.execute(db);
}

/** Creates jobs for all waiting messages: a restored database has messages, but no jobs. */
export const queueWaiting = ({ db }: Services) =>
  sql`select queue_sending(id) from outbox where status = 'queued' and queued_at > now() - ${lasts}::interval`.execute(
    db,
  );

/** Older messages are no longer sent. */
const lasts = '3 days';

/**
 * Sends one message of the outbox. Throws to be retried when it was not accepted. Finished messages keep no address.
 * At-least-once: a killed process sends again, under the same id.
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
    .select([
      'channel',
      'template',
      'recipient',
      'subject_id',
      'version',
      'keeps_quiet',
      'reader_id',
      'waits_for_reader',
    ])
    .select(sql<boolean>`queued_at < now() - ${lasts}::interval`.as('isOld'))
    .executeTakeFirst();
  const send = row && senders[row.channel as keyof Senders];
  // Without a sender it waits; the next start with one creates the job again.
  if (!row?.recipient || !send) return;
  // The hour is asked again at every try: one that failed in the evening must not arrive at night.
  if (row.keeps_quiet) {
    const now = services.now();
    const own = row.waits_for_reader && row.reader_id !== null && (await services.quietOf(services, row.reader_id));
    const until = afterQuietHours(now, await readSettings(services, quietHours), own || undefined);
    if (until > now) return defer(services, id, until);
  }
  const template = templates[row.template];
  const rendered = row.isOld
    ? undefined
    : template &&
      (await render(services, template, row.subject_id, row.channel, row.version, {
        kind: row.template,
        readerId: row.reader_id,
      }));
  if (!rendered) return close(services, id, 'expired');
  const queued = { subjectId: row.subject_id, recipient: row.recipient, version: row.version };
  if (!(await isStillFor(services, template, queued))) return close(services, id, 'expired', outdated);
  const registered =
    row.channel === 'sms'
      ? (await services.readRegisteredTexts(services)).get(textKey(row.template, rendered.language))
      : undefined;
  // Operators drop it without telling anybody, and another try would change nothing.
  if (differs(registered, rendered.text)) return close(services, id, 'failed', differsFromTemplate);
  try {
    const templateId = registered?.templateId ?? '';
    await send({ id, template: row.template, templateId, to: row.recipient, ...rendered });
  } catch (error) {
    const reason = reasonOf(error);
    if (isLastTry) return close(services, id, 'failed', reason);
    await services.db.updateTable('outbox').set({ last_error: reason }).where('id', '=', id).execute();
    // Only the error's code: its message may have the address and the content.
    throw new Error(`Message ${id} was not sent: ${reason}`);
  }
  return close(services, id, 'sent', undefined, rendered.language);
}

async function defer({ db }: Services, id: number, until: Date) {
  await sql`with later as (update outbox set not_before = ${until} where id = ${id} and status = 'queued' returning id)
    select defer_sending(id) from later`.execute(db);
}

/** Closes a message whose job fails as not sent; of one that is closed nothing. */
export async function giveUpMessage({ db }: Context, id: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ status: 'failed', recipient: null })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute();
}

/** The error of a text message that was not sent because it differs from its registered template. */
export const differsFromTemplate = 'Differs from the registered template';

/** The error of a message whose recipient or link changed before it was sent; triggers write it too. */
export const outdated = 'Contact or link changed';

const isStillFor = async (services: Services, template: Template | undefined, queued: Queued): Promise<boolean> =>
  template?.isFor === 'as queued' || (await template?.isFor(services, queued)) === true;

async function close(
  services: Services,
  id: number,
  status: 'sent' | 'failed' | 'expired',
  reason?: string,
  language: Language = 'en',
) {
  await services.db.transaction().execute(async (db) => {
    await db
      .updateTable('outbox')
      .set({ status, recipient: null, ...(reason && { last_error: reason }) })
      .$if(status === 'sent', (query) => query.set({ sent_at: services.now(), last_error: null, language }))
      .where('id', '=', id)
      .execute();
    if (status !== 'failed') return;
    const ctx = { ...contextOutside(services, `message ${id}`), db };
    await audit(ctx, { actor: 'System', action: 'message.failed', entity: 'outbox', entityId: id, result: 'refused' });
  });
}

/** The code of a network or mail error and the status of the answer, without personal data. */
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

/** Renders a message now. A subject is one line whatever a name contains, so that it cannot become a header (E4). */
export async function render(
  services: Services,
  template: Template,
  subjectId: number,
  channel = 'email',
  version: number | null = null,
  { kind = '', readerId = null }: { kind?: string; readerId?: number | null } = {},
): Promise<Written | undefined> {
  const rendered = await template.render(services, subjectId, version);
  if (!rendered) return undefined;
  const wanted =
    rendered.language ?? (readerId === null ? 'en' : await services.languages.ofReader(services, readerId));
  const subjectIn = (language: Language) => say(language)(rendered.subject).replace(/\s+/g, ' ');
  if (channel === 'sms') {
    const written = (await smsWriter(services, kind))(rendered, wanted);
    return { subject: subjectIn(written.language), ...written };
  }
  // Where the words are English, so are the days and names in them.
  const language = rendered.paragraphs.some((one) => isTranslated(one, wanted)) ? wanted : 'en';
  const write = say(language);
  const said = [...rendered.paragraphs.map(write), ...(await otherLanguages(services, rendered, language))];
  return { subject: subjectIn(language), text: said.join('\n\n'), language };
}

const readHere = text`Read in English: ${{ page: '' }}`;

/** The end of an email with a page for families: where it is in each other language, said in that. */
async function otherLanguages(services: Services, { page, paragraphs }: Rendered, own: Language): Promise<string[]> {
  if (!page) return [];
  const offered = await services.languages.offered(services);
  const others = offered.filter((one) => one !== own && paragraphs.some((each) => isTranslated(each, one)));
  const lines = others.map((one) => say(one)({ ...readHere, values: { page: `${page}&lang=${one}` } }));
  return lines.length > 0 ? [lines.join('\n')] : [];
}

/** The newest waiting messages, rendered as they would be sent now; for the outbox page in development. */
export async function listOutbox(services: Services, templates: Record<string, Template>) {
  const rows = await services.db
    .selectFrom('outbox')
    .select(['id', 'channel', 'template', 'recipient', 'subject_id', 'version', 'queued_at', 'reader_id'])
    .where('status', '=', 'queued')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  const texts = await services.readRegisteredTexts(services);
  return Promise.all(
    rows.map(async (row) => {
      const template = templates[row.template];
      const of = { kind: row.template, readerId: row.reader_id };
      const rendered = template && (await render(services, template, row.subject_id, row.channel, row.version, of));
      const registered = texts.get(textKey(row.template, rendered?.language ?? 'en'));
      const isRefused = row.channel === 'sms' && differs(registered, rendered?.text ?? '');
      return { ...row, rendered, isRefused };
    }),
  );
}
