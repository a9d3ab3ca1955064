import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readAudiences } from './audience.ts';
import { requireOut, whyNotOut } from './heard.ts';
import { approvalKind, makeReady } from './publish.ts';
import { reachOf } from './reach.ts';
import { pageOf } from './release.ts';

/** What a class teacher publishes, which office or principal decides; never the author. */
export const publishApproval: ApprovalKind = {
  kind: approvalKind,
  subject: 'announcement_id',
  title: text`Announcement`,
  notice: text`An announcement is waiting for your approval.`,
  sets: ['office', 'principal'],
  describe: async (ctx, ids) => {
    const rows = await ctx.db
      .selectFrom('announcement as notice')
      .innerJoin('announcement_version as own', (join) =>
        join.onRef('own.announcement_id', '=', 'notice.id').onRef('own.number', '=', 'notice.current_version'),
      )
      .where('notice.id', 'in', [...ids])
      .select(['notice.id', 'notice.version', 'notice.publish_at', 'notice.expires_at', 'notice.priority'])
      .select(['notice.asks', 'notice.acknowledge_by', 'notice.is_page_only', 'own.title', 'own.search_text'])
      .execute();
    const audiences = await readAudiences(ctx, ids);
    const described = new Map();
    for (const { title, search_text, ...notice } of rows) {
      const { id, version, publish_at } = notice;
      const reach = await reachOf(ctx, id);
      const reason = await whyNotOut(ctx, notice, reach);
      const people = (audiences.get(id) ?? []).map(
        ({ name, kind, isExcluded }) => `${isExcluded ? '− ' : ''}${name || kind}`,
      );
      described.set(id, {
        facts: [
          { label: text`Title`, value: verbatim(title) },
          { label: text`Text`, value: verbatim(search_text.slice(title.length + 1, title.length + 300)) },
          { label: text`For`, value: verbatim(people.join(', ')) },
          { label: text`Guardians`, value: verbatim(String(reach.guardians)) },
          ...(publish_at ? [{ label: text`Publish on`, value: verbatim(showDate(toLocalDate(publish_at))) }] : []),
        ],
        effect: [
          reason ??
            (publish_at && publish_at > ctx.now()
              ? text`It will be published at the scheduled time.`
              : text`It is published at once.`),
        ],
        to: pageOf(id).replace('/school-erp/', ''),
        basis: [version, reach],
      });
    }
    return described;
  },
  lock: async ({ db }, ids) => {
    await sql`select from announcement where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const rows = await ctx.db
      .selectFrom('announcement')
      .where('id', 'in', ids)
      .select(['id', 'publish_at', 'expires_at', 'asks', 'acknowledge_by', 'priority', 'is_page_only'])
      .orderBy('id')
      .execute();
    for (const { id, ...notice } of rows) {
      if (outcome === 'Approved') {
        await requireOut(ctx, notice, await reachOf(ctx, id));
        await makeReady(ctx, id, notice.publish_at);
      } else
        await ctx.db
          .updateTable('announcement')
          .set({ state: 'Draft', version: sql`version + 1` })
          .where('id', '=', id)
          .execute();
    }
  },
};
