import { sql } from 'kysely';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { messageApi, notificationApi } from './contract.ts';
import { report } from './report.ts';

const pageSize = 20;

/** Every read and change starts here, so none concerns another account. */
const own = ({ user }: UserContext) => sql<boolean>`account_id = ${user.id}`;

async function countUnread(ctx: UserContext) {
  const { unread } = await ctx.db
    .selectFrom('notice')
    .where(own(ctx))
    .where('read_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow();
  return { unread };
}

/** The names of what notices are about, by path: read with the rights of the reader, and never kept. */
async function namesOf(ctx: UserContext, paths: readonly string[]) {
  const names = new Map<string, string>();
  for (const { paths: bases, find } of ctx.noticeSubjects) {
    const idOf = (path: string) => {
      const base = bases.find((one) => path.startsWith(one));
      return base === undefined ? Number.NaN : Number.parseInt(path.slice(base.length), 10);
    };
    const ids = [...new Set(paths.map(idOf).filter((id) => id > 0))];
    const found = ids.length > 0 ? await find(ctx, ids) : [];
    for (const path of paths) {
      const name = found.find(({ id }) => id === idOf(path))?.name;
      if (name) names.set(path, name);
    }
  }
  return names;
}

const list: Handler<typeof notificationApi.list> = async (ctx, { before }) => {
  const found = await ctx.db
    .selectFrom('notice')
    .where(own(ctx))
    .$if(before !== null, (query) => query.where('id', '<', before))
    .select(['id', 'text', 'path', 'created_at', 'read_at'])
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const rows = found.slice(0, pageSize);
  const names = await namesOf(
    ctx,
    rows.map(({ path }) => path),
  );
  return {
    rows: rows.map(({ id, text, path, created_at, read_at }) => ({
      id,
      about: names.get(path) ?? '',
      text: text as unknown as Text,
      path,
      at: created_at.toISOString(),
      isRead: read_at !== null,
    })),
    ...(await countUnread(ctx)),
    next: found.length > pageSize ? (rows.at(-1)?.id ?? null) : null,
  };
};

const read: Handler<typeof notificationApi.read> = async (ctx, { ids, upTo }) => {
  await ctx.db
    .updateTable('notice')
    .set({ read_at: ctx.now() })
    .where(own(ctx))
    .where('read_at', 'is', null)
    .where(sql<boolean>`(id = any(${ids}::integer[]) or id <= ${upTo ?? 0})`)
    .execute();
  return countUnread(ctx);
};

/** Deletes notifications 30 days after they were read, and unread notifications after 180. */
async function forgetOld(db: Database) {
  await db
    .deleteFrom('notice')
    .where(
      sql<boolean>`(read_at < school_now() - interval '30 days' or created_at < school_now() - interval '180 days')`,
    )
    .execute();
}

/** The bell in the header: what has become one's own to do. */
export const notification = serverFeature({
  routes: [...routes(notificationApi, { list, unread: countUnread, read }), ...routes(messageApi, { report })],
  tidyUp: forgetOld,
});
