import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';

/** Warns of a channel that has refused every message for two minutes. */
export const findSendingWarnings: FindWarnings = async ({ db }) => {
  const { rows } = await sql<{ channel: string; waiting: number; error: string }>`
    select failed.channel, count(*)::int as waiting, (array_agg(failed.last_error order by failed.id desc))[1] as error
    from outbox failed
    where failed.status = 'queued' and failed.last_error is not null
      and not exists (select from outbox sent where sent.channel = failed.channel and sent.status = 'sent'
        and sent.sent_at > school_now() - interval '2 minutes')
    group by failed.channel
    having min(failed.queued_at) < now() - interval '2 minutes'
    order by failed.channel`.execute(db);
  return rows.map(({ channel, waiting, error }) => {
    const values = { n: waiting, error };
    return {
      name: `${channel}-not-sent`,
      isUrgent: true,
      text:
        channel === 'sms'
          ? text(
              {
                message:
                  'Text messages can’t be sent ({error}); {n, plural, one {# is} other {# are}} waiting. Check the gateway.',
              },
              values,
            )
          : text(
              {
                message:
                  'Emails can’t be sent ({error}); {n, plural, one {# is} other {# are}} waiting. Check the mail server.',
              },
              values,
            ),
    };
  });
};
