import { sql } from 'kysely';
import { verbatim } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { sentStates } from '../contract/sent.ts';
import { sentApi } from '../contract/sent.ts';
import { guardians, isReached } from './guardians.ts';

const most = 50;

/** Messages name the adult of their day: one who was merged into this one too. */
const list: Handler<typeof sentApi.list> = async (ctx, { id }) => {
  await guardians(ctx)
    .where('guardian.id', '=', id)
    .where(isReached(ctx.user, toLocalDate(ctx.now())))
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<{
    id: number;
    at: Date;
    kind: string;
    channel: 'SMS' | 'Email';
    state: (typeof sentStates)[number];
    reason: string;
  }>`
    select outbox.id, outbox.queued_at as at, outbox.template as kind,
      case outbox.channel when 'sms' then 'SMS' else 'Email' end as channel,
      case when outbox.status = 'queued' then 'Waiting' when outbox.status <> 'sent' then 'Not sent'
        when outbox.delivery in ('Delivered', 'Read') then 'Arrived' when outbox.delivery = 'Failed' then 'Did not arrive'
        else 'Sent' end as state,
      case when outbox.delivery = 'Failed' then outbox.delivery_reason when outbox.status in ('failed', 'expired')
        then coalesce(outbox.last_error, '') else '' end as reason
    from (select ${id}::integer as id union select retired_id from guardian_merge where kept_id = ${id}) as adult
    join outbox on outbox.reader_id = adult.id
    order by outbox.id desc limit ${most}`.execute(ctx.db);
  return {
    rows: rows.map(({ at, kind, ...row }) => ({
      ...row,
      at: at.toISOString(),
      when: ctx.textMessages[kind]?.when ?? verbatim(kind),
    })),
  };
};

export const sentRoutes = routes(sentApi, { list });
