import { sql } from 'kysely';
import { extendLinks } from '#features/family/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { NotDone, RunBatch, RunContext } from '#kit/server/job/runs.ts';
import { queueRows } from '#kit/server/messages/outbox.ts';
import { announcementMessages as messages } from '../contract/announcement.ts';
import { writers } from '../contract/words.ts';
import { mayStillAddress } from './audience.ts';
import { type SendInput, sendKind } from './release.ts';

const noAddress = text`No email address or mobile number.`;
const noMessages = text`Receives no messages about these children.`;
const sameAddress = (name: string) => text`Same address as ${{ name }}.`;

interface Adult {
  id: number;
  name: string;
  email: string;
  mobile: string;
  /** The place among the contacts of the child that comes first. */
  place: number;
  /** The children of the audience about whom the adult receives messages. */
  children: number[];
}

/** The adults of these ids, and the other recipients that share an address with one of them. */
async function readAdults(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  ids: readonly number[],
): Promise<Adult[]> {
  const { rows } = await sql<Adult>`
    with asked as (select id, email, mobile from guardian where id = any(${[...ids]}::integer[])),
    near as (
      select id from asked
      union select other.id from asked join guardian other on asked.email <> '' and other.email <> '' and lower(other.email) = lower(asked.email)
      union select other.id from asked join guardian other on asked.mobile <> '' and other.mobile = asked.mobile),
    pair as materialized (
      select pair.guardian_id, pair.student_id
      from announcement_pairs(${id}, ${toLocalDate(now())}::date) as pair
      where pair.guardian_id in (select id from near))
    select adult.id, adult.name, lower(adult.email) as email, adult.mobile,
      min(case when link.is_primary then 0 else link.contact_order end)::integer as place,
      array_agg(pair.student_id order by pair.student_id) as children
    from pair
    join announcement_recipient recipient on recipient.announcement_id = ${id} and recipient.guardian_id = pair.guardian_id
      and recipient.removed_at is null
    join student_guardian link on link.guardian_id = pair.guardian_id and link.student_id = pair.student_id and link.receives_messages
    join guardian adult on adult.id = pair.guardian_id
    group by adult.id, adult.name, adult.email, adult.mobile`.execute(db);
  return rows;
}

interface Channels {
  priority: string;
  sends_email: boolean;
  sends_sms: boolean;
}

interface Way {
  channel: 'email' | 'sms';
  recipient: string;
}

/** The first of the channels that an adult has; an emergency uses all of them. */
function waysTo(
  { email, mobile }: Pick<Adult, 'email' | 'mobile'>,
  { priority, sends_email, sends_sms }: Channels,
): Way[] {
  const ways: Way[] = [];
  if (sends_email && email) ways.push({ channel: 'email', recipient: email });
  if (sends_sms && mobile) ways.push({ channel: 'sms', recipient: mobile });
  return priority === 'Emergency' ? ways : ways.slice(0, 1);
}

/** The adult who reads the message for this one: of the same addresses, told of at least the same children. */
function readsFor(adult: Adult, others: readonly Adult[], channels: Channels): Adult | undefined {
  const ways = waysTo(adult, channels);
  return others.find((other) => {
    if (other.id === adult.id || !adult.children.every((child) => other.children.includes(child))) return false;
    const theirs = waysTo(other, channels).map(({ recipient }) => recipient);
    if (!ways.every(({ recipient }) => theirs.includes(recipient))) return false;
    if (other.children.length > adult.children.length) return true;
    // Of two who would read the same for each other, the one to call first.
    return other.place !== adult.place ? other.place < adult.place : other.id < adult.id;
  });
}

/** Whether the messages of a run may still be sent; the reason where not. */
async function whyNot(ctx: RunContext, { announcementId }: SendInput): Promise<Text | undefined> {
  const notice = await ctx.db
    .selectFrom('announcement')
    .where('id', '=', announcementId)
    .select(['state', 'expires_at'])
    .forShare()
    .executeTakeFirst();
  if (notice?.state !== 'Ready' || (notice.expires_at && notice.expires_at <= ctx.now())) return messages.hasEnded;
  const { starter } = ctx;
  if (!starter) return undefined;
  const may = isGranted(writers, starter) && (await mayStillAddress({ ...ctx, user: starter }, announcementId));
  return may ? undefined : text`${{ actor: ctx.actor }} may no longer write to these people.`;
}

/** Queues the messages to up to fifty guardians of a round: each has one row of a channel, whatever is killed. */
const sendBatch: RunBatch = {
  most: 50,
  act: async (ctx, ids, input: SendInput) => {
    const { announcementId, round } = input;
    const stopped = await whyNot(ctx, input);
    const skipped = (reason: Text): NotDone => ({ status: 'Skipped', reason });
    if (stopped) return new Map(ids.map((id) => [id, skipped(stopped)]));
    const channels = await ctx.db
      .selectFrom('announcement')
      .where('id', '=', announcementId)
      .select(['priority', 'sends_email', 'sends_sms'])
      .executeTakeFirstOrThrow();
    const adults = await readAdults(ctx, announcementId, ids);
    const byId = new Map(adults.map((adult) => [adult.id, adult]));
    const notDone = new Map<number, NotDone>();
    const wanted = ids.flatMap((id) => {
      const adult = byId.get(id);
      const ways = adult ? waysTo(adult, channels) : [];
      const other = adult && ways.length > 0 ? readsFor(adult, adults, channels) : undefined;
      const reason = !adult ? noMessages : ways.length === 0 ? noAddress : other ? sameAddress(other.name) : undefined;
      if (reason) notDone.set(id, skipped(reason));
      return reason ? [] : ways.map((way) => ({ guardian: id, ...way }));
    });
    const links = await extendLinks(
      ctx,
      wanted.map(({ guardian }) => guardian),
    );
    const versions = new Map(links.map(({ guardianId, version }) => [guardianId, version]));
    const queued = wanted.map((one) => ({ ...one, version: versions.get(one.guardian) }));
    const isEmergency = channels.priority === 'Emergency';
    const template = isEmergency ? 'announcement.emergency' : 'announcement.notice';
    await queueRows(
      ctx,
      sql`select fresh.channel, ${template}::text, wanted.recipient, fresh.id, wanted.version, 'announcement ' || fresh.id,
          ${isEmergency}::boolean, null::timestamptz, ${!isEmergency}::boolean
        from fresh join wanted on wanted.guardian = fresh.guardian_id and wanted.channel = fresh.channel`,
      sql`wanted as materialized (
          select * from jsonb_to_recordset(${JSON.stringify(queued)}::jsonb) as each (guardian integer, channel text, recipient text, version integer)),
        fresh as (
          insert into announcement_delivery (announcement_id, round, guardian_id, channel)
          select ${announcementId}::integer, ${round}::smallint, guardian, channel from wanted
          on conflict do nothing returning id, guardian_id, channel),`,
    );
    return notDone;
  },
};

export const announcementRuns = { [sendKind]: sendBatch };
