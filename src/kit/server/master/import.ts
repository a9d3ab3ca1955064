import { sql } from 'kysely';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type Named, refsOf } from '#kit/contract/field.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import {
  emptyValues,
  importedOf,
  type Master,
  type MasterRow,
  namedBy,
  targetOf,
  type Values,
} from '#kit/contract/master.ts';
import { english, text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import { columnOf } from '#kit/server/database/row-map.ts';
import { type ImportLine, type ImportOutcome, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { type Act, auditAll } from '#kit/server/security/audit.ts';
import type { UserContext } from '../context.ts';
import { lookUpNames, readCell, readOnlyProblem } from './cells.ts';
import { changedDetails, namedDetails } from './details.ts';
import type { MasterGuard } from './guard.ts';
import { actionOf, enteredNames, lockOrder, selectRows, storedAs, toRow } from './rows.ts';
import { column, tableOf } from './sql.ts';

export interface ImportInput {
  file: string;
  plan?: ImportPlan | undefined;
  confirmToken?: string | undefined;
}

/** A master as what a file is imported into. */
export const targetOfMaster = (master: Master): ImportTarget => ({
  kind: `${master.path}/import`,
  name: english(master.plural).replaceAll(' ', '-'),
  fields: importedOf(master),
  readNames: (ctx) => lookUpNames(ctx, namedTargets(master)),
  undo: { table: master.table },
});

const namedTargets = (master: Master) =>
  refsOf(master).map(([name, field]): [string, Named] => [name, targetOf(namedBy(master), field)]);

const guardedMessage = text`Change it on its page: a second person decides.`;
const heldMessage = text`Add it on its page: a second person decides.`;

interface Line extends ImportLine {
  values: Values;
  /** The row it changes. */
  before: MasterRow | undefined;
}

/**
 * Previews or applies a file: each row is added, changed, unchanged or refused. Rows are found by their key, so a
 * second import changes nothing. Throws `invalid` for a file that is not a table of this master.
 */
export async function importMaster(
  ctx: UserContext,
  master: Master,
  input: ImportInput,
  guard?: MasterGuard,
): Promise<ImportOutcome> {
  const table = namedRows(ctx.table());
  if (master.isOrdered) await lockOrder(ctx, master);
  return importRows(ctx, {
    input,
    target: targetOfMaster(master),
    rules: master,
    lockTable: () => sql`lock table ${tableOf(master)} in share row exclusive mode`.execute(ctx.db),
    compare: async () =>
      compareRows(ctx, master, table, {
        fields: (await guard?.fieldsOf(ctx, master)) ?? [],
        isNewHeld: (await guard?.holdsNew?.(ctx, master)) ?? false,
      }),
    write: (written) => write(ctx, master, written),
    audit: (lines, counts) => auditRows(ctx, master, lines, counts),
  });
}

/** Parses every row of the file, finds its record, and compares them. */
async function compareRows(
  ctx: UserContext,
  master: Master,
  table: TableRow[],
  guarded: { fields: readonly string[]; isNewHeld: boolean },
): Promise<Line[]> {
  const existing = await readByKey(ctx, master);
  const names = await lookUpNames(ctx, namedTargets(master));
  const seen = new Map<string, number>();
  return mapRows(table, ({ line, cells }) => {
    const messages: FieldErrors = {};
    const typed: Values = {};
    for (const [name, cell] of Object.entries(cells)) {
      // An empty cell leaves a row's status unchanged.
      if (master.fields[name]?.isReadOnly || (name === 'isActive' && cell === '')) continue;
      const { value, problem } = readCell(master, name, cell, names);
      typed[name] = value;
      if (problem) messages[name] = problem;
    }
    const before = existing.get(keyOf(master, typed));
    // A row found by an earlier name keeps its current name.
    if (before && keyOf(master, before) !== keyOf(master, typed))
      for (const name of master.key) typed[name] = before[name];
    for (const [name, field] of Object.entries(master.fields)) {
      const problem = field.isReadOnly && readOnlyProblem(name, field, cells[name] ?? '', before);
      if (problem) messages[name] = problem;
    }
    // An existing reference stays, even if its target is inactive or not unique by name.
    for (const [name] of refsOf(master))
      if (
        messages[name] &&
        before?.names[name] &&
        (before.names[name] === cells[name] || before[name] === typed[name])
      ) {
        typed[name] = before[name];
        delete messages[name];
      }
    const parsed = master.api.create.input.safeParse({ ...(before ?? emptyValues(master)), ...typed });
    for (const [name, message] of Object.entries(parsed.error ? fieldErrors(parsed.error) : {}))
      messages[name] ??= message;
    const values = (parsed.data ?? {}) as Values;
    if (guarded.isNewHeld && !before && parsed.data) messages[master.key[0] ?? ''] ??= heldMessage;
    for (const name of guarded.fields)
      if (before && parsed.data && before[name] !== values[name]) messages[name] ??= guardedMessage;
    const stored = { ...typed, ...parsed.data };
    const displayName = master.labelFields
      .map((name) => cells[name])
      .filter(Boolean)
      .join(', ');

    if (Object.keys(messages).length > 0)
      return { line, displayName, status: 'wrong', messages, values, stored, before };
    const key = keyOf(master, values);
    const twice = seen.get(key);
    seen.set(key, twice ?? line);
    const [first = ''] = master.key;
    if (twice)
      return {
        ...{ line, displayName, values, stored, before },
        ...{ status: 'wrong', messages: { [first]: twiceMessage(twice) } },
      };
    const isSame = before !== undefined && Object.keys(values).every((name) => before[name] === values[name]);
    const status = isSame ? 'same' : before ? 'changed' : 'added';
    return { line, displayName, status, messages, values, stored, before };
  });
}

/** The normalised key: two rows with the same one are the same record. */
const keyOf = ({ key }: Master, values: Values) =>
  JSON.stringify(key.map((name) => sameText(String(values[name] ?? ''))));

async function readByKey({ db }: UserContext, master: Master): Promise<Map<string, MasterRow>> {
  const rows = (await (await selectRows(db, master)).execute()).map((row) => toRow(master, row));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const former = (await readAliases(db, master)).flatMap(({ key, id }) => {
    const row = byId.get(id);
    return row ? [[key, row] as const] : [];
  });
  return new Map([...former, ...rows.map((row) => [keyOf(master, row), row] as const)]);
}

/** Earlier keys of rows, and the row of each. */
async function readAliases(db: UserContext['db'], master: Master): Promise<{ key: string; id: number }[]> {
  const { aliases, key } = master;
  if (!aliases) return [];
  const columns = key.map((name) => column(name));
  const { rows } = await sql<Values & { row_id: number }>`
    select ${column(aliases.to)} as row_id, ${sql.join(columns)} from ${tableOf(aliases)}`.execute(db);
  return rows.map((row) => ({
    key: keyOf(master, Object.fromEntries(key.map((name) => [name, row[columnOf(name)]]))),
    id: row.row_id,
  }));
}

async function write({ db }: UserContext, master: Master, lines: Line[]) {
  const names = enteredNames(master);
  const record = ({ values, before }: Line, index: number) => ({
    ...Object.fromEntries(names.map((name) => [columnOf(name), storedAs(master, name, values[name])])),
    ...(before ? { id: before.id } : { position: index }),
  });
  const records = (wanted: Line[]) =>
    sql`jsonb_populate_recordset(null::${tableOf(master)}, ${JSON.stringify(wanted.map(record))})`;
  const [changed, added] = [lines.filter(({ before }) => before), lines.filter(({ before }) => !before)];
  if (changed.length > 0) {
    const sets = names.map((name) => sql`${column(name)} = input.${column(name)}`);
    await sql`update ${tableOf(master)} as own set ${sql.join(sets)}, version = own.version + 1
      from ${records(changed)} as input where input.id = own.id`.execute(db);
  }
  if (added.length > 0) {
    const position = sql`, (select coalesce(max(position), 0) + 1 from ${tableOf(master)}) + input.position`;
    const { rows } = await sql<{ id: number }>`
      insert into ${tableOf(master)} (${sql.join(names.map(column))} ${master.isOrdered ? sql`, position` : sql``})
      select ${sql.join(names.map((name) => sql`input.${column(name)}`))} ${master.isOrdered ? position : sql``}
      from ${records(added)} with ordinality as input order by ordinality returning id`.execute(db);
    for (const [index, { id }] of rows.entries()) (added[index] as Line).id = id;
  }
}

/** The audit details of each row, which say that it was imported. */
async function auditRows(ctx: UserContext, master: Master, lines: Line[], counts: ImportOutcome['counts']) {
  const rows = new Map((await (await selectRows(ctx.db, master)).execute()).map((row) => [row.id, toRow(master, row)]));
  const acts = lines.flatMap(({ status, id = 0, before }): Act[] => {
    const after = rows.get(before?.id ?? id);
    if (!after || status === 'same') return [];
    const { id: entityId, version } = after;
    const [what, details] = before
      ? (['changed', changedDetails(master, before, after)] as const)
      : (['created', namedDetails(master, after)] as const);
    return [{ action: actionOf(master, what), entity: master.table, entityId, version, details }];
  });
  const { added, changed, same } = counts;
  const details = { added, changed, same };
  await auditAll(ctx, [...acts, { action: actionOf(master, 'imported'), entity: master.table, entityId: 0, details }]);
}
