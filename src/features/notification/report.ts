import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { AppError, malformed, notFoundMessage } from '#kit/contract/errors.ts';
import type { RawBody } from '#kit/server/context.ts';
import { parseJson } from '#kit/server/http/json.ts';
import { readRaw } from '#kit/server/http/raw-body.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type messageApi, messageReport, mostReports } from './contract.ts';

/** So many failures in so many days, without a message that arrived, and the channel is not used. */
const failures = { times: 3, days: 14 };

const hash = (value: string) => createHash('sha256').update(value).digest();

const rows = z.object({ reports: z.array(z.unknown()).check(z.maxLength(mostReports)) });

/** Values of a form are texts. */
const ofForm = ({ id, isFinal, ...row }: Record<string, unknown>) => ({
  ...row,
  id: Number(id),
  isFinal: isFinal === 'true' || isFinal === '1',
});

/** What a gateway reports; throws `malformed` for a body that has no reports. */
function rowsOf(raw: RawBody | undefined): unknown[] {
  const body = readRaw(raw) as Record<string, unknown>;
  if (raw?.isForm && body.reports === undefined) return [ofForm(body)];
  const reports = raw?.isForm ? parseJson(String(body.reports)) : body.reports;
  const read = rows.safeParse({ reports });
  if (!read.success) throw malformed(`Send at most ${mostReports} reports.`);
  return read.data.reports;
}

/**
 * Keeps what became of text messages. Gateways report twice and in any order, so a state only rises, and a report of an
 * unknown message or with another secret changes nothing.
 */
export const report: Handler<typeof messageApi.report> = async ({ db, now, reportSecret, raw }, { secret }) => {
  const isKnown = timingSafeEqual(hash(secret), hash(reportSecret));
  if (!isKnown || reportSecret === '') throw new AppError('not_found', notFoundMessage);
  const known = rowsOf(raw).flatMap((one) => messageReport.safeParse(one).data ?? []);
  const { rows: risen } = await sql<{ guardianId: number | null; state: string }>`
    with reported as (
      select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
        as each (id integer, state text, reason text, "isFinal" boolean)
      order by id, delivery_rank(state) desc, "isFinal" desc),
    message as (
      select outbox.id, reported.state, reported.reason from outbox join reported on reported.id = outbox.id
      where outbox.channel = 'sms' and outbox.status in ('queued', 'sent')
        and (delivery_rank(reported.state) > delivery_rank(outbox.delivery)
          -- A second report of a failure that it is for good.
          or reported."isFinal" and reported.state = 'Failed' and outbox.delivery = 'Failed')
      order by outbox.id for update of outbox)
    update outbox set delivery = message.state, delivery_reason = message.reason
    from message where outbox.id = message.id returning reader_id as "guardianId", message.state`.execute(db);
  const readers = [
    ...new Set(risen.flatMap(({ guardianId, state }) => (state === 'Accepted' ? [] : (guardianId ?? [])))),
  ];
  if (readers.length === 0) return {};
  const finals = known.flatMap(({ id, state, isFinal }) => (state === 'Failed' && isFinal ? [id] : []));
  // What arrived, and what failed since a message arrived or the contact changed.
  await sql`
    with sent as (
      select outbox.id, outbox.reader_id, outbox.delivery, outbox.delivery_reason as reason,
        coalesce(outbox.sent_at, outbox.queued_at) as at
      from outbox join guardian on guardian.id = outbox.reader_id
      where outbox.reader_id = any(${readers}::integer[]) and outbox.channel = 'sms'
        and outbox.queued_at > ${now()}::timestamptz - make_interval(days => ${failures.days})),
    arrived as (
      select reader_id, max(at) as at from sent where delivery in ('Delivered', 'Read') group by reader_id),
    failed as (
      select sent.reader_id, count(*)::smallint as times, bool_or(sent.id = any(${finals}::integer[])) as is_final,
        (array_agg(sent.reason order by sent.at desc, sent.id desc))[1] as reason
      from sent
      left join arrived on arrived.reader_id = sent.reader_id
      left join message_trouble trouble on trouble.guardian_id = sent.reader_id and trouble.channel = 'sms'
      where sent.delivery = 'Failed' and sent.at > coalesce(arrived.at, '-infinity')
        and sent.at > coalesce(trouble.counts_from, '-infinity')
      group by sent.reader_id)
    insert into message_trouble (guardian_id, channel, times, reason, since, counts_from)
    select guardian.id, 'sms', coalesce(failed.times, 0), coalesce(failed.reason, ''),
      case when failed.times >= ${failures.times} or failed.is_final then ${now()}::timestamptz end,
      coalesce(arrived.at, '-infinity')
    from guardian
    left join failed on failed.reader_id = guardian.id
    left join arrived on arrived.reader_id = guardian.id
    where guardian.id = any(${readers}::integer[]) and coalesce(failed.reader_id, arrived.reader_id) is not null
    order by guardian.id
    on conflict (guardian_id, channel) do update set times = excluded.times, reason = excluded.reason,
      counts_from = greatest(message_trouble.counts_from, excluded.counts_from),
      since = case when excluded.since is not null then coalesce(message_trouble.since, excluded.since)
        when excluded.times > 0 then message_trouble.since end`.execute(db);
  return {};
};
