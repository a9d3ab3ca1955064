import { sql } from 'kysely';
import { channelOrder, tellGuardians, waysOf } from '#features/family/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { NotDone, RunBatch, RunContext } from '#kit/server/job/runs.ts';
import { announcementMessages as messages } from '../contract/announcement.ts';
import { writers } from '../contract/words.ts';
import { mayStillAddress } from './audience.ts';

import { type SendInput, sendKind } from './release.ts';

const reasons = {
  'No address': text`No email address or mobile number.`,
  'Does not work': text`Messages to this number or address do not arrive.`,
  'Receives no messages': text`Receives no messages about these children.`,
  Muted: text`Wants none of these messages.`,
};
/** A guardian who is in the audience no more. */
const noRecipient = { reason: 'Receives no messages', reader: '', ways: [] } as const;
const sameAddress = (name: string) => text`Same address as ${{ name }}.`;

/** The children of the audience of these guardians, and of the other recipients that share an address with one of them. */
async function readPairs({ db, now }: Pick<Context, 'db' | 'now'>, id: number, ids: readonly number[]) {
  const { rows } = await sql<{ guardianId: number; studentId: number }>`
    with asked as (select id, email, mobile from guardian where id = any(${[...ids]}::integer[])),
    near as (
      select id from asked
      union select other.id from asked join guardian other on asked.email <> '' and other.email <> '' and lower(other.email) = lower(asked.email)
      union select other.id from asked join guardian other on asked.mobile <> '' and other.mobile = asked.mobile)
    select pair.guardian_id as "guardianId", pair.student_id as "studentId"
    from announcement_pairs(${id}, ${toLocalDate(now())}::date) as pair
    join announcement_recipient recipient on recipient.announcement_id = ${id} and recipient.guardian_id = pair.guardian_id
      and recipient.removed_at is null
    where pair.guardian_id in (select id from near)`.execute(db);
  return rows;
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
    const { priority, sends_email, sends_sms } = await ctx.db
      .selectFrom('announcement')
      .where('id', '=', announcementId)
      .select(['priority', 'sends_email', 'sends_sms'])
      .executeTakeFirstOrThrow();
    const isEmergency = priority === 'Emergency';
    const sending = {
      kind: isEmergency ? 'announcement.emergency' : 'announcement.notice',
      urgency: isEmergency ? 'Emergency' : 'Normal',
    } as const;
    const sends = channelOrder[sending.urgency].filter((one) => (one === 'email' ? sends_email : sends_sms));
    const reached = await waysOf(ctx, { ...sending, sends }, await readPairs(ctx, announcementId, ids));
    const notDone = new Map<number, NotDone>();
    const wanted = ids.flatMap((id) => {
      const { reason, reader, ways } = reached.get(id) ?? noRecipient;
      if (reason) notDone.set(id, skipped(reason === 'Same as' ? sameAddress(reader) : reasons[reason]));
      return ways;
    });
    const { rows: fresh } = await sql<{ id: number; guardianId: number; channel: string }>`
      insert into announcement_delivery (announcement_id, round, guardian_id, channel)
      select ${announcementId}::integer, ${round}::smallint, guardian, channel
      from jsonb_to_recordset(${JSON.stringify(wanted.map(({ guardianId, channel }) => ({ guardian: guardianId, channel })))}::jsonb)
        as each (guardian integer, channel text)
      on conflict do nothing returning id, guardian_id as "guardianId", channel`.execute(ctx.db);
    await tellGuardians(
      ctx,
      { ...sending, carriesLink: true },
      fresh.flatMap(({ id, guardianId, channel }) => {
        const way = wanted.find((one) => one.guardianId === guardianId && one.channel === channel);
        return way ? [{ way, subjectId: id, key: `announcement ${id}` }] : [];
      }),
    );
    return notDone;
  },
};

export const announcementRuns = { [sendKind]: sendBatch };
