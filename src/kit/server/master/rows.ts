import { type SelectQueryBuilder, sql } from 'kysely';
import { AppError, malformed, notFoundMessage } from '#kit/contract/errors.ts';
import {
  enteredOf,
  isFilter,
  type Master,
  type MasterField,
  type MasterRow,
  namedBy,
  type Values,
} from '#kit/contract/master.ts';
import type { Database } from '#kit/server/database/database.ts';
import { contains, type Order } from '#kit/server/list/pagination.ts';
import type { Context } from '../context.ts';
import {
  column,
  displayNameOf,
  lockTableForWrite,
  namesOf,
  orderOf,
  own,
  ownColumn,
  referencesTo,
  sortKeyOf,
  stored,
  tableOf,
  toValues,
  usesOf,
} from './sql.ts';

/** A row as the database gives it: its fields under their names, in the columns' own types. */
interface ReadRow extends Values {
  id: number;
  version: number;
  isActive: boolean;
  displayName: string;
  usedBy: number;
  names: Record<string, string>;
}

/** A master's table is known only when it runs, so its queries are of rows like these. */
export type MasterQuery = SelectQueryBuilder<{ own: ReadRow }, 'own', ReadRow>;

/** The rows of a master with all that is said of them, narrowed as the list's input asks. */
export async function narrowed(db: Database, master: Master, input: Values) {
  const { search = '', state = '' } = input as Partial<Record<'search' | 'state', string>>;
  let query = await selectRows(db, master);
  if (search !== '') query = query.where(sql<boolean>`${searched(master)} ilike ${contains(search)}`);
  if (state !== '') query = query.where(sql<boolean>`${ownColumn('isActive')} = ${state === 'active'}`);
  for (const [name, field] of Object.entries(master.fields)) {
    const wanted = input[name];
    // No row has the number 0; it asks for all of them.
    if (!isFilter(field) || wanted === undefined || wanted === '' || wanted === '0') continue;
    query = query.where(sql<boolean>`${ownColumn(name)} = ${filterValue(field, wanted)}`);
  }
  return query;
}

/** What a filter looks for, as the field's column holds it. */
function filterValue({ kind }: MasterField, wanted: unknown): unknown {
  if (kind === 'ref') return Number(wanted);
  return kind === 'yesNo' ? wanted === 'yes' : wanted;
}

/** Everything of a row that has words, in one text. */
const searched = (master: Master) => {
  const texts = Object.entries(master.fields).filter(([, { kind }]) => kind === 'text' || kind === 'longText');
  const parts = [displayNameOf(namedBy(master)), ...texts.map(([name]) => ownColumn(name)), ...formerNames(master)];
  return sql<string>`concat_ws(' ', ${sql.join(parts)})`;
};

const formerNames = ({ aliases }: Master) =>
  aliases
    ? [sql`(select string_agg(name, ' ') from ${tableOf(aliases)} where ${column(aliases.to)} = ${ownColumn('id')})`]
    : [];

export async function selectRows(db: Database, master: Master): Promise<MasterQuery> {
  const references = await referencesTo(db, master.table);
  return db
    .selectFrom(sql<{ id: number }>`${tableOf(master)}`.as(own))
    .select([
      sql<number>`${ownColumn('id')}`.as('id'),
      sql<number>`${ownColumn('version')}`.as('version'),
      sql<boolean>`${ownColumn('isActive')}`.as('isActive'),
      sql<string>`${displayNameOf(namedBy(master))}`.as('displayName'),
      usesOf(references).as('usedBy'),
      namesOf(master).as('names'),
      ...Object.keys(master.fields).map((name) => sql`${ownColumn(name)}`.as(name)),
    ]) as unknown as MasterQuery;
}

/** A row as it was read, as the wire has it. */
export const toRow = (master: Master, row: ReadRow): MasterRow => ({
  ...toValues(master, row),
  id: row.id,
  version: row.version,
  isActive: row.isActive,
  displayName: row.displayName,
  usedBy: row.usedBy,
  names: row.names,
});

/** As the list's `sort` says, "-name" backwards; without a name in the order somebody put the rows, or by what they are called. */
export function orderFor(master: Master, sort: string): Order {
  const name = sort.replace(/^-/, '');
  const isDescending = sort.startsWith('-');
  if (Object.hasOwn(master.fields, name)) return { ...orderOf(master, name), isDescending, id: `${own}.id` };
  if (name !== '') throw malformed('This list has no such order.');
  return { by: sortKeyOf(namedBy(master)), as: 'text', isDescending, id: `${own}.id` };
}

/** One row, held until the transaction ends where `locks` says so; throws `not_found`. */
export async function readRow({ db }: Context, master: Master, id: number, locks = false): Promise<MasterRow> {
  if (locks) {
    await lockTableForWrite(db, master.table);
    await sql`select 1 from ${tableOf(master)} where id = ${id} for update`.execute(db);
  }
  const query = await selectRows(db, master);
  const row = await query.where(sql<boolean>`${ownColumn('id')} = ${id}`).executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  return toRow(master, row);
}

/** The action of a master, as the audit names it. */
export const actionOf = ({ table }: Pick<Master, 'table'>, what: string) => `${table.replaceAll('_', '-')}.${what}`;

/** What somebody fills in of a row, and whether it is switched on. */
export const enteredNames = (master: Master): string[] => [...enteredOf(master).map(([name]) => name), 'isActive'];

/** A field's value as its column holds it. */
export const storedAs = (master: Master, name: string, value: unknown) => {
  const field = master.fields[name];
  return field ? stored(field, value) : value;
};

/** One change of a master's order at a time. */
export const lockOrder = ({ db }: Context, { table }: Master) =>
  sql`select pg_advisory_xact_lock(hashtext(${`${table}.position`}))`.execute(db);
