import { sql } from 'kysely';
import { isForAdmins, tellAdmins } from '#features/sign-in/api.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Context, Services } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Warning } from '#kit/server/warnings.ts';

/** Minutes for which something must be wrong before anybody is told, and right before it has ended. */
const settles = 10;
/** Hours after which Admins are told again of what is still wrong. */
const repeats = 24;

type News = 'began' | 'lasts' | 'ended';

interface Alert {
  id: number;
  name: string;
  text: Text;
  began_at: Date;
}

/**
 * Compares what is wrong with what was, and queues an email to every Admin: once it is wrong for ten minutes, each day
 * while it lasts, and once it is right for ten minutes. What came and went in the meantime is told to nobody.
 */
export async function noteAlerts(ctx: Context, urgent: readonly Warning[]): Promise<void> {
  const at = ctx.now();
  const names = urgent.map(({ name }) => name);
  await sql`insert into alert (name, text, began_at)
    select found.name, found.text, ${at} from jsonb_to_recordset(${JSON.stringify(urgent)}::jsonb) as found (name text, text jsonb)
    on conflict (name) do update set text = excluded.text, gone_at = null,
      began_at = case when alert.ended_at is null then alert.began_at else excluded.began_at end,
      told_at = case when alert.ended_at is null then alert.told_at end, ended_at = null`.execute(ctx.db);
  await sql`delete from alert where told_at is null and name <> all(${names}::text[])`.execute(ctx.db);
  await sql`update alert set gone_at = ${at}
    where gone_at is null and ended_at is null and name <> all(${names}::text[])`.execute(ctx.db);
  const { rows: begun } = await sql<{ id: number; post: News }>`
    update alert set told_at = ${at}, post = case when told_at is null then 'began' else 'lasts' end
    where ended_at is null and gone_at is null
      and (told_at is null and began_at <= ${at}::timestamptz - make_interval(mins => ${settles})
        or told_at <= ${at}::timestamptz - make_interval(hours => ${repeats}))
    returning id, post`.execute(ctx.db);
  const { rows: ended } = await sql<{ id: number }>`update alert set ended_at = gone_at, post = 'ended'
    where ended_at is null and gone_at <= ${at}::timestamptz - make_interval(mins => ${settles}) returning id`.execute(
    ctx.db,
  );
  for (const { id } of begun) await tellAdmins(ctx, { template: 'alert-began', subjectId: id, except: [] });
  for (const { id } of ended) await tellAdmins(ctx, { template: 'alert-ended', subjectId: id, except: [] });
}

const find = ({ db }: Pick<Services, 'db'>, id: number) =>
  db
    .selectFrom('alert')
    .where('id', '=', id)
    .select(['text', 'ended_at'])
    .executeTakeFirst()
    .then((row) => row && { words: row.text as unknown as Text, isOver: row.ended_at !== null });

const systemPage = (publicUrl: string) => `${publicUrl}/school-erp/system?tab=work`;

export const alertMessages: Record<string, Template> = {
  // It may have ended by the time mail is sent again.
  'alert-began': {
    isFor: isForAdmins,
    render: async (services, id) => {
      const alert = await find(services, id);
      if (!alert || alert.isOver) return undefined;
      return {
        subject: text`Shala needs help`,
        paragraphs: [alert.words, text`More on the page System: ${{ link: systemPage(services.publicUrl) }}`],
      };
    },
  },
  'alert-ended': {
    isFor: isForAdmins,
    render: async (services, id) => {
      const alert = await find(services, id);
      if (!alert?.isOver) return undefined;
      return { subject: text`Shala is well again`, paragraphs: [text`This has ended:`, alert.words] };
    },
  },
};

/** Milliseconds that the operator’s address gets to answer. */
const answersWithin = 10_000;

interface Posting {
  /** ALERT_URL. */
  url: string;
  /** The name of the school. */
  school: string;
}

/**
 * Posts what the operator’s address has not got yet. It works without mail, so it tells of mail that hangs. What is not
 * accepted is posted again with the next call; twice is possible.
 */
export async function postAlerts({ db }: Pick<Services, 'db'>, { url, school }: Posting): Promise<void> {
  const { rows } = await sql<Alert & { post: News }>`
    select id, name, text, began_at, post from alert where post is not null order by id`.execute(db);
  for (const { id, name, text: words, began_at, post } of rows) {
    const body = JSON.stringify({ school, name, state: post, words: english(words), began: began_at.toISOString() });
    const signal = AbortSignal.timeout(answersWithin);
    const headers = { 'content-type': 'application/json' };
    const { ok, status } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    // Neither the address nor its answer: both may have secrets.
    if (!ok) throw new Error(`ALERT_URL answered ${status}`);
    await sql`update alert set post = null where id = ${id} and post = ${post}`.execute(db);
  }
}
