import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { ListOperations, RecordListDefinition } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';

/** The most views that one person may save of one list. */
const mostViews = 50;

type Viewed = Pick<RecordListDefinition, 'name' | 'columns' | 'query'>;

type ViewHandlers = {
  [Name in 'views' | 'saveView' | 'removeView']: Handler<ListOperations[Name]>;
};

const isAdmin = ({ user }: UserContext) => user.role === 'Admin';

/** The handlers of a list's named views: a view is its owner's alone, or shared by an Admin. */
export function viewHandlers(definition: Viewed): ViewHandlers {
  const list = definition.name;
  return {
    views: async ({ db, user }) => {
      const rows = await db
        .selectFrom('list_view')
        .where('list', '=', list)
        .where((where) => where.or([where('staff_id', '=', user.staffId), where('is_shared', '=', true)]))
        .select(['id', 'name', 'staff_id', 'is_shared', 'address', 'columns'])
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .execute();
      return rows.map(({ id, name, staff_id, is_shared, address, columns }) => ({
        id,
        name,
        isShared: is_shared,
        isOwn: staff_id === user.staffId,
        address: knownQuery(definition, address as Record<string, string>),
        columns: columns.filter((column) => Object.hasOwn(definition.columns, column)),
      }));
    },
    saveView: async (ctx, { name, isShared, address, columns }) => {
      const { db, user } = ctx;
      if (isShared && !isAdmin(ctx)) throw fieldRefusal('isShared', text`Only an Admin can share a view.`);
      // Views of one person are saved one after the other, or two at once could exceed the limit.
      await sql`select pg_advisory_xact_lock(hashtext('list_view'), ${user.staffId})`.execute(db);
      const { others } = await db
        .selectFrom('list_view')
        .where('list', '=', list)
        .where('staff_id', '=', user.staffId)
        .where(sql<boolean>`lower(name) <> lower(${name})`)
        .select(({ fn }) => fn.countAll<number>().as('others'))
        .executeTakeFirstOrThrow();
      if (others >= mostViews)
        throw fieldRefusal('name', text`You have ${{ mostViews }} views of this list. Delete one first.`);
      const values = {
        name,
        is_shared: isShared,
        address: JSON.stringify(knownQuery(definition, address)),
        columns: [...new Set(columns)].filter((column) => Object.hasOwn(definition.columns, column)),
      };
      const { id, version } = await db
        .insertInto('list_view')
        .values({ ...values, list, staff_id: user.staffId })
        .onConflict((conflict) =>
          conflict
            .expression(sql`list, staff_id, lower(name)`)
            .doUpdateSet({ ...values, version: sql`list_view.version + 1` }),
        )
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow();
      const details = { list, name, isShared };
      await audit(ctx, { action: 'list-view.saved', entity: 'list_view', entityId: id, version, details });
      return { id };
    },
    removeView: async (ctx, { id }) => {
      const view = await ctx.db
        .deleteFrom('list_view')
        .where('id', '=', id)
        .where('list', '=', list)
        .where((where) => {
          const own = where('staff_id', '=', ctx.user.staffId);
          return isAdmin(ctx) ? where.or([own, where('is_shared', '=', true)]) : own;
        })
        .returning(['name', 'version', 'is_shared'])
        .executeTakeFirst();
      if (!view) throw new AppError('not_found', notFoundMessage);
      const { name, version, is_shared: isShared } = view;
      const details = { list, name, isShared };
      await audit(ctx, { action: 'list-view.removed', entity: 'list_view', entityId: id, version, details });
      return {};
    },
  };
}

/** The values of an address that the list still understands. */
const knownQuery = ({ query }: Viewed, address: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, schema]) => {
      const value = Object.hasOwn(address, name) ? address[name] : undefined;
      return value && schema.safeParse(value).success ? [[name, value]] : [];
    }),
  );
