import { sql } from 'kysely';
import type { ImportApi } from '#kit/contract/import.ts';
import { type Master, type MasterRow, namedBy, type Values } from '#kit/contract/master.ts';
import { listOf } from '#kit/contract/master-list.ts';
import type { Route } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { viewHandlers } from '#kit/server/list/list-views.ts';
import { readPage } from '#kit/server/list/pagination.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import type { Context, UserContext } from '../context.ts';
import { refuseInactive } from './choices.ts';
import { withConstraintMessages } from './constraint-messages.ts';
import { changedDetails, namedDetails } from './details.ts';
import { exportMaster } from './export.ts';
import type { MasterGuard } from './guard.ts';
import { type ImportInput, importMaster, targetOfMaster } from './import.ts';
import { type OptionsInput, readOptions } from './options.ts';
import { actionOf, enteredNames, lockOrder, narrowed, orderFor, readRow, storedAs, toRow } from './rows.ts';
import { type Setting, setActive } from './set-active.ts';
import { column, tableOf } from './sql.ts';

type Handle = (ctx: UserContext, input: Values) => Promise<unknown>;

/** The handlers of every operation of the masters. */
export function masterRoutes(masters: readonly Master[], guard?: MasterGuard): Route[] {
  return masters.flatMap((master) => {
    const own: Record<Exclude<keyof Master['api'], keyof ImportApi | keyof ReturnType<typeof viewHandlers>>, Handle> = {
      list: (ctx, input) => list(ctx, master, input),
      options: ({ db }, input) =>
        readOptions(db, { ...namedBy(master), key: master.key }, input as unknown as OptionsInput),
      export: (ctx, input) => exportMaster(ctx, master, input),
      history: (ctx, input) => history(ctx, master, input as { id: number; before: string }),
      create: (ctx, values) => {
        const save = () => createRow(ctx, master, values);
        return guard?.add ? guard.add(ctx, { master, values }, save) : save();
      },
      update: (ctx, { id, version, ...values }) => {
        const row = { id, version } as IdAndVersion;
        const save = () => changeRow(ctx, master, row, values);
        return guard ? guard.change(ctx, { master, ...row, values }, save) : save();
      },
      remove: (ctx, idAndVersion) => remove(ctx, master, idAndVersion as unknown as IdAndVersion),
      move: (ctx, input) => move(ctx, master, input as unknown as Moving),
      setActive: (ctx, input) => setActive(ctx, master, input as unknown as Setting),
    };
    const handlers: Record<keyof Master['api'], Route['handle']> = {
      ...own,
      ...importHandlers(targetOfMaster(master), (ctx, input: ImportInput) => importMaster(ctx, master, input, guard)),
      ...(viewHandlers(listOf(master)) as Record<keyof ReturnType<typeof viewHandlers>, Handle>),
    };
    return Object.entries(master.api).map(([name, endpoint]) => ({
      endpoint,
      handle: handlers[name as keyof Master['api']],
    }));
  });
}

interface IdAndVersion {
  id: number;
  version: number;
}

async function list({ db }: Context, master: Master, input: Values) {
  const { sort, ...wanted } = input as { sort: string; after: string; before: string; countsAll: '' };
  const query = await narrowed(db, master, input);
  const { rows, ...page } = await readPage(db, query, orderFor(master, sort), wanted);
  return { ...page, rows: rows.map((row) => toRow(master, row)) };
}

async function history(ctx: Context, master: Master, asked: { id: number; before: string }) {
  const page = await readHistory(ctx, master.table, asked);
  if (page.rows.length === 0 && asked.before === '') await readRow(ctx, master, asked.id); // Seeded rows have none.
  // A record's former position in the list means nothing later.
  return { ...page, rows: page.rows.map((row) => (row.action === 'moved' ? { ...row, details: {} } : row)) };
}

/** Adds a row without asking anyone. */
export async function createRow(ctx: UserContext, master: Master, values: Values) {
  const { db } = ctx;
  if (master.isOrdered) await lockOrder(ctx, master);
  await refuseInactive(ctx, namedBy(master), values);
  const columns = enteredNames(master);
  const stored = columns.map((name) => sql`${storedAs(master, name, values[name])}`);
  const { rows } = await withConstraintMessages(ctx, master, () =>
    sql<IdAndVersion>`insert into ${tableOf(master)} (${sql.join(columns.map((name) => column(name)))}
        ${master.isOrdered ? sql`, position` : sql``})
      values (${sql.join(stored)}
        ${master.isOrdered ? sql`, (select coalesce(max(position), 0) + 1 from ${tableOf(master)})` : sql``})
      returning id, version`.execute(db),
  );
  const [made] = rows as [IdAndVersion];
  const row = await readRow(ctx, master, made.id);
  await audit(ctx, {
    action: actionOf(master, 'created'),
    entity: master.table,
    entityId: made.id,
    version: 1,
    details: namedDetails(master, row),
  });
  return made;
}

/** Changes a row without asking anyone; throws `stale` for another version. */
export async function changeRow(ctx: UserContext, master: Master, { id, version }: IdAndVersion, values: Values) {
  const before = await readRow(ctx, master, id, true);
  refuseStale(master, before, version);
  const changed = enteredNames(master).filter((name) => before[name] !== inOrder(master, name, values[name]));
  if (changed.length === 0) return { id, version };
  await refuseInactive(ctx, namedBy(master), Object.fromEntries(changed.map((name) => [name, values[name]])));
  const sets = changed.map((name) => sql`${column(name)} = ${storedAs(master, name, values[name])}`);
  await withConstraintMessages(ctx, master, () =>
    sql`update ${tableOf(master)} set ${sql.join(sets)}, version = version + 1 where id = ${id}`.execute(ctx.db),
  );
  const after = await readRow(ctx, master, id);
  await audit(ctx, {
    action: actionOf(master, 'changed'),
    entity: master.table,
    entityId: id,
    version: after.version,
    details: changedDetails(master, before, after),
  });
  return { id, version: after.version };
}

/** Sorts several values of a fixed list into the list's order; leaves other values unchanged. */
function inOrder({ fields }: Master, name: string, value: unknown) {
  const field = fields[name];
  return field?.kind === 'someOf'
    ? field.options.filter((option) => String(value).split(',').includes(option)).join(',')
    : value;
}

/** A user with an older version gets the current one. */
function refuseStale(master: Master, row: MasterRow, version: number) {
  requireVersion(row, version, { version: row.version, saved: toValuesOf(master, row), names: row.names });
}

const toValuesOf = (master: Master, row: MasterRow): Values =>
  Object.fromEntries(enteredNames(master).map((name) => [name, row[name]]));

async function remove(ctx: UserContext, master: Master, { id, version }: IdAndVersion) {
  const row = await readRow(ctx, master, id, true);
  refuseStale(master, row, version);
  await withConstraintMessages(ctx, master, () => sql`delete from ${tableOf(master)} where id = ${id}`.execute(ctx.db));
  await audit(ctx, {
    action: actionOf(master, 'removed'),
    entity: master.table,
    entityId: id,
    version: row.version,
    details: namedDetails(master, row),
  });
  return {};
}

interface Moving {
  id: number;
  to: 'up' | 'down' | number;
}

async function move(ctx: UserContext, master: Master, { id, to }: Moving) {
  await lockOrder(ctx, master);
  const row = await readRow(ctx, master, id);
  const isMoved =
    typeof to === 'number' ? await takePlace(ctx, master, id, to) : await changePlaces(ctx, master, id, to);
  if (!isMoved) return {}; // It is already there.
  const details = {
    displayName: row.displayName,
    to: typeof to === 'number' ? `the place of ${(await readRow(ctx, master, to)).displayName}` : to,
  };
  await audit(ctx, {
    action: actionOf(master, 'moved'),
    entity: master.table,
    entityId: id,
    version: row.version,
    details,
  });
  return {};
}

/** Moves a row to another row's position; those between shift. Throws `not_found` where there is no other row. */
async function takePlace(ctx: UserContext, master: Master, id: number, other: number): Promise<boolean> {
  await readRow(ctx, master, other);
  const table = tableOf(master);
  const { rows } = await sql`
    with moved as (select position as at from ${table} where id = ${id}),
    wanted as (select position as at from ${table} where id = ${other})
    update ${table} as own set position = case when own.id = ${id} then wanted.at
      when moved.at < wanted.at then own.position - 1 else own.position + 1 end
    from moved, wanted
    where moved.at <> wanted.at and own.position between least(moved.at, wanted.at) and greatest(moved.at, wanted.at)
    returning own.id`.execute(ctx.db);
  return rows.length > 0;
}

async function changePlaces(ctx: UserContext, master: Master, id: number, to: 'up' | 'down'): Promise<boolean> {
  const table = tableOf(master);
  const { rows } = await sql<{ id: number }>`
    with moved as (select id, position from ${table} where id = ${id}),
    neighbour as (
      select other.id, other.position from ${table} as other, moved
      where ${to === 'up' ? sql`other.position < moved.position` : sql`other.position > moved.position`}
      order by ${to === 'up' ? sql`other.position desc` : sql`other.position`} limit 1),
    places as (
      select moved.id, neighbour.position from moved, neighbour
      union all select neighbour.id, moved.position from moved, neighbour)
    update ${table} as own set position = places.position from places where places.id = own.id
    returning own.id`.execute(ctx.db);
  return rows.length > 0;
}
