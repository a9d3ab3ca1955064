import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportEntry, UndoAnswer } from '#kit/contract/import.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { isReferredTo } from '#kit/server/database/database.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import type { CreatedEntry, ImportTarget, Undoable } from './import-target.ts';
import type { Table } from './read-table.ts';

// What undoing an import needs: which records it added and changed, what these were, and a digest of what it left.

interface Kept {
  line: number;
  id: number;
  name: string;
  /** Of a changed record: the row as it was. */
  was: Record<string, unknown> | undefined;
  isBeyondUndo?: boolean | undefined;
}

const placeOf = (importId: number, line: number) => `file_import_line.was:${importId}:${line}`;

/** What an import leaves of a row: all but its version and its place in an order. */
const digest = sql<string>`md5((to_jsonb(own) - 'version' - 'position')::text)`;

/** The rows that an import is about to change, as they are. */
export async function rowsBefore(
  { db }: Pick<UserContext, 'db'>,
  { undo }: ImportTarget,
  ids: readonly number[],
): Promise<Map<number, Record<string, unknown>>> {
  if (!undo || ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; was: Record<string, unknown> }>`
    select id, to_jsonb(own) as was from ${sql.table(undo.table)} own where id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map(({ id, was }) => [id, was]));
}

interface Done {
  plan: ImportPlan | undefined;
  table: Pick<Table, 'heads' | 'names'>;
  counts: { added: number; changed: number; wrong: number };
  created: readonly CreatedEntry[];
  rows: readonly Kept[];
}

/** Adds an import to the history; returns its id. */
export async function addImport(
  { db, user, now }: UserContext,
  target: ImportTarget,
  { plan, table, counts, created }: Omit<Done, 'rows'>,
): Promise<number> {
  const { id } = await db
    .insertInto('file_import')
    .values({
      kind: target.kind,
      account_id: user.id,
      heads: table.heads,
      names: table.names.map((name) => name ?? ''),
      made_at: now(),
      file_name: plan?.fileName ?? '',
      added: counts.added,
      changed: counts.changed,
      left_out: counts.wrong,
      created: JSON.stringify(created),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Keeps an import for its history and for undoing it; returns its id. */
export async function keepImport(ctx: UserContext, target: ImportTarget, done: Done): Promise<number> {
  const { db, keys } = ctx;
  const { rows } = done;
  const id = await addImport(ctx, target, done);
  if (!target.undo || rows.length === 0) return id;
  const lines = await mapRows(rows, ({ line, id: record, name, was, isBeyondUndo = false }) => ({
    line,
    record,
    beyond: isBeyondUndo,
    name: name.slice(0, 200),
    was: was ? seal(keys.data, placeOf(id, line), JSON.stringify(was)).toString('hex') : null,
  }));
  await sql`insert into file_import_line (import_id, line, record_id, name, was, left_as)
    select ${id}, input.line, input.record, input.name, decode(input.was, 'hex'),
      case when not input.beyond then ${digest} end
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as input (line integer, record integer, name text, was text, beyond boolean)
    join ${sql.table(target.undo.table)} own on own.id = input.record`.execute(db);
  return id;
}

const mostListed = 20;

const importsOf = ({ db }: Pick<UserContext, 'db'>, kind: string) =>
  db.selectFrom('file_import as own').where('own.kind', '=', kind);

/** The last imports of a kind. */
export async function listImports(ctx: UserContext, { kind, undo }: ImportTarget): Promise<ImportEntry[]> {
  const { user } = ctx;
  const rows = await importsOf(ctx, kind)
    .innerJoin('sign_in_account as account', 'account.id', 'own.account_id')
    .leftJoin('staff', 'staff.id', 'account.staff_id')
    .leftJoin('run', 'run.id', 'own.run_id')
    .select(['own.id', 'own.file_name', 'own.made_at', 'own.account_id', 'own.added', 'own.changed', 'own.left_out'])
    .select(['own.heads', 'own.names', 'own.undone_at', 'own.run_id', 'own.undo_run_id', 'run.finished_at'])
    .select('staff.name as by')
    .where((eb) => (user.role === 'Admin' ? eb.lit(true) : eb('own.account_id', '=', user.id)))
    .orderBy('own.id', 'desc')
    .limit(mostListed)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    fileName: row.file_name,
    at: row.made_at.toISOString(),
    by: row.by ?? '',
    counts: { added: row.added, changed: row.changed, left: row.left_out },
    columns: row.heads.flatMap((head, index) => {
      const field = row.names[index];
      return field ? [{ head, field }] : [];
    }),
    isUndone: row.undone_at !== null,
    run: row.run_id,
    undoRun: row.undo_run_id,
    mayUndo:
      row.undone_at === null &&
      row.undo_run_id === null &&
      (row.run_id === null ? undo !== undefined : row.finished_at !== null),
  }));
}

const isUndone = text`This import was undone. Reload the page.`;

/** The import that a user may undo: an own one, or of others for an Admin; locked. */
export async function lockImport(ctx: UserContext, kind: string, id: number) {
  const found = await importsOf(ctx, kind)
    .where('own.id', '=', id)
    .where((eb) => (ctx.user.role === 'Admin' ? eb.lit(true) : eb('own.account_id', '=', ctx.user.id)))
    .select(['own.id', 'own.account_id', 'own.run_id', 'own.undo_run_id', 'own.undone_at', 'own.created'])
    .forUpdate('own')
    .executeTakeFirstOrThrow(notFound);
  if (found.undone_at !== null || found.undo_run_id !== null) throw new AppError('conflict', isUndone);
  return found;
}

interface UndoneLine {
  line: number;
  id: number;
  name: string;
  was: Buffer | null;
  isThere: boolean;
  hasChanged: boolean;
  isBeyond: boolean;
}

/** Undoes an import wholly, or names the records that stand in the way. */
export const undoImport = (
  ctx: UserContext,
  target: ImportTarget,
  { importId, confirmToken }: { importId: number; confirmToken?: string | undefined },
): Promise<UndoAnswer> =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const { undo } = target;
    const found = await lockImport(ctx, target.kind, importId);
    if (!undo) throw new AppError('conflict', text`Imports of this list can’t be undone.`);
    if (!isPreview) await sql`lock table ${sql.table(undo.table)} in share row exclusive mode`.execute(ctx.db);
    const { rows: lines } = await sql<UndoneLine>`
      select line.line, line.record_id as id, line.name, line.was, own.id is not null as "isThere",
        own.id is not null and line.left_as is distinct from ${digest} as "hasChanged",
        own.id is not null and line.left_as is null as "isBeyond"
      from file_import_line line left join ${sql.table(undo.table)} own on own.id = line.record_id
      where line.import_id = ${importId} order by line.line`.execute(ctx.db);
    const there = lines.filter(({ isThere }) => isThere);
    const added = there.filter(({ was }) => was === null);
    const used = await usedOf(ctx, target, added);
    const beyond = there.filter(({ isBeyond }) => isBeyond).map(({ name }) => name);
    const kept = there.filter(({ id, hasChanged, isBeyond }) => !isBeyond && (hasChanged || used.has(id)));
    const changed = there.length - added.length;
    const answer = { added: added.length, changed, kept: kept.map(({ name }) => name), beyond };
    const basis = [importId, lines.map(({ line, isThere, hasChanged }) => [line, isThere, hasChanged]), [...used]];
    const isRefused = kept.length + beyond.length > 0;
    if (isRefused || isPreview) return { answer, basis, isRefused };
    await restore(ctx, undo, await wereOf(ctx, importId, there));
    await remove(ctx, undo, importId, added);
    await removeCreated(ctx, found.created as unknown as CreatedEntry[]);
    await ctx.db.updateTable('file_import').set({ undone_at: ctx.now() }).where('id', '=', importId).execute();
    await audit(ctx, {
      action: 'import.undone',
      entity: 'file_import',
      entityId: importId,
      details: { Records: target.name, Added: added.length, Changed: answer.changed },
    });
    return { answer, basis };
  });

/** The added records that others refer to, other than their own parts. */
async function usedOf({ db }: UserContext, { undo }: ImportTarget, added: readonly UndoneLine[]): Promise<Set<number>> {
  if (!undo || added.length === 0) return new Set();
  const references = (await referencesOf(db, [undo.table])).filter(
    ({ table, column }) => !undo.parts?.some((part) => part.table === table && part.column === column),
  );
  if (references.length === 0) return new Set();
  const ids = added.map(({ id }) => id);
  const uses = references.map(
    ({ table, column }) =>
      sql`select ${sql.ref(column)} as id from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::integer[])`,
  );
  const { rows } = await sql<{ id: number }>`${sql.join(uses, sql` union `)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Every column that points to one of these tables, also those whose rows would be deleted or emptied with theirs. */
async function referencesOf(db: Database, tables: readonly string[]) {
  const { rows } = await sql<{ to: string; table: string; column: string }>`
    select confrelid::regclass::text as to, conrelid::regclass::text as table, source.attname::text as column
    from pg_constraint
    join pg_attribute source on source.attrelid = conrelid and source.attnum = any (conkey)
    join pg_attribute target on target.attrelid = confrelid and target.attname = 'id'
      and target.attnum = confkey[array_position(conkey, source.attnum)]
    where contype = 'f' and confrelid = any(${tables}::regclass[]) and conparentid = 0
    order by 1, 2, 3`.execute(db);
  return rows;
}

const wereOf = ({ keys }: UserContext, importId: number, lines: readonly UndoneLine[]) =>
  mapRows(
    lines.filter(({ was }) => was !== null),
    ({ line, was }): Record<string, unknown> =>
      JSON.parse(open(keys.data, placeOf(importId, line), was as Buffer).toString()),
  );

/** Gives changed records back what they were. */
async function restore({ db }: UserContext, { table }: Undoable, rows: readonly Record<string, unknown>[]) {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !['id', 'version', 'position'].includes(name));
  if (names.length === 0) return;
  const { rows: fixed } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and (attgenerated <> '' or attidentity <> '')`.execute(db);
  const written = names.filter((name) => !fixed.some((one) => one.name === name));
  const version = 'version' in (rows[0] ?? {}) ? [sql`version = own.version + 1`] : [];
  const sets = [...written.map((name) => sql`${sql.ref(name)} = input.${sql.ref(name)}`), ...version];
  await sql`update ${sql.table(table)} own set ${sql.join(sets)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}) as input
    where input.id = own.id`.execute(db);
}

async function remove(
  { db }: UserContext,
  { table, parts = [], isKept }: Undoable,
  importId: number,
  added: readonly UndoneLine[],
) {
  const ids = added.map(({ id }) => id);
  if (ids.length === 0) return;
  try {
    // A few tables, by their number and not by that of the rows.
    for (const part of parts)
      await sql`delete from ${sql.table(part.table)} where ${sql.ref(part.column)} = any(${ids}::integer[])`.execute(
        db,
      );
    if (isKept) await sql`select file_import_delete_added(${importId})`.execute(db);
    else await sql`delete from ${sql.table(table)} where id = any(${ids}::integer[])`.execute(db);
  } catch (error) {
    if (isReferredTo(error))
      throw new AppError('stale', text`Other records now use some of these. Check the new preview.`);
    throw error;
  }
}

/** Deletes the entries that the import created and that have no use left. */
async function removeCreated({ db }: Pick<UserContext, 'db'>, created: readonly CreatedEntry[]) {
  if (created.length === 0) return;
  const references = await referencesOf(db, [...new Set(created.map(({ table }) => table))]);
  for (const [table, entries] of Map.groupBy(created, (entry) => entry.table)) {
    const unused = references
      .filter(({ to }) => to === table)
      .map(
        (reference) =>
          sql`not exists (select from ${sql.table(reference.table)} used where used.${sql.ref(reference.column)} = own.id)`,
      );
    await sql`delete from ${sql.table(table)} own where own.id = any(${entries.map(({ id }) => id)}::integer[])
      and own.version = 1 ${unused.length > 0 ? sql`and ${sql.join(unused, sql` and `)}` : sql``}`.execute(db);
  }
}

/** As `removeCreated`, of an import that a run undoes. */
export async function removeCreatedBy(ctx: Pick<UserContext, 'db'>, importId: number): Promise<void> {
  const { created } = await ctx.db
    .selectFrom('file_import')
    .where('id', '=', importId)
    .select('created')
    .executeTakeFirstOrThrow();
  await removeCreated(ctx, created as unknown as CreatedEntry[]);
}

/** Imports are kept so long. */
const keptDays = 30;
export const tidyImports = (db: Database) =>
  sql`delete from file_import where made_at < school_now() - make_interval(days => ${keptDays})
    and (run_id is null or run_id in (select id from run where finished_at is not null))`.execute(db);
