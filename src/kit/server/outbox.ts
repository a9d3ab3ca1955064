import type { Context, Services } from './context.ts';

/** How a message reads when it is sent. */
export interface Rendered {
  subject: string;
  text: string;
}

/** Makes a message's text from the id it was stored with; undefined when there is nothing left to say. */
export type Template = (services: Services, subjectId: number) => Promise<Rendered | undefined>;

interface Message {
  channel: 'email' | 'sms';
  template: string;
  recipient: string;
  /** The row the message is about. Codes and links are never stored: the template makes them when it is sent. */
  subjectId: number;
  /** At most one message is ever queued under the same key. */
  dedupeKey?: string;
}

/** Puts a message into the outbox within the business transaction: it is sent if and only if that is kept. */
export async function queueMessage(ctx: Context, { channel, template, recipient, subjectId, dedupeKey }: Message) {
  await ctx.db
    .insertInto('outbox')
    .values({ channel, template, recipient, subject_id: subjectId, dedupe_key: dedupeKey ?? null })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .execute();
}

/** Makes a message's text now. A subject is one line whatever a name in it holds, so that it cannot become a header (E4). */
export async function render(services: Services, template: Template, subjectId: number): Promise<Rendered | undefined> {
  const rendered = await template(services, subjectId);
  return rendered && { ...rendered, subject: rendered.subject.replace(/\s+/g, ' ') };
}

/** The newest messages, rendered as they would be sent now; for the outbox page of development. */
export async function listOutbox(services: Services, templates: Record<string, Template>) {
  const rows = await services.db
    .selectFrom('outbox')
    .select(['id', 'channel', 'template', 'recipient', 'subject_id', 'queued_at'])
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
