import { sql } from 'kysely';
import { isGranted } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { writers } from '../contract/words.ts';
import { mayStillAddress } from './audience.ts';
import { withdrawLocked } from './publish.ts';
import { pageOf, release } from './release.ts';

/** The most that are released in a minute; the rest follow in the next one. */
const most = 20;

/** Publishes scheduled announcements whose time has come, unless their author may no longer address these people. */
export async function releaseDue(ctx: Context): Promise<void> {
  const { rows } = await sql<{ id: number; accountId: number | null }>`
    select notice.id, (select account.id from sign_in_account account where account.staff_id = notice.author_id
        order by account.id limit 1) as "accountId"
    from announcement notice
    where notice.state = 'Ready' and notice.released_at is null and notice.publish_at <= ${ctx.now()}
    order by notice.publish_at, notice.id limit ${most} for update of notice skip locked`.execute(ctx.db);
  for (const { id, accountId } of rows) {
    const user = accountId === null ? undefined : await ctx.findRights(ctx, accountId, 'Staff');
    const may = user && isGranted(writers, user) && (await mayStillAddress({ ...ctx, user }, id));
    if (may) await release(ctx, id);
    else {
      await withdrawLocked(ctx, [id], 'The author may no longer write to these people.');
      await notify(ctx, {
        to: { sets: ['office'] },
        kind: 'announcement.not-published',
        text: text`A scheduled announcement was not published.`,
        path: pageOf(id),
        key: `announcement ${id}`,
      });
    }
  }
}
