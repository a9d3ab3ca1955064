import { type SelectQueryBuilder, sql } from 'kysely';
import { malformed } from '#kit/contract/errors.ts';
import type { Field } from '#kit/contract/field.ts';
import { enteredOf, isFilter, type Master, type MasterRow, namedBy, type Values } from '#kit/contract/master.ts';
import type { Database } from '#kit/server/database/database.ts';
import { stored } from '#kit/server/database/row-map.ts';
import type { Order } from '#kit/server/list/pagination.ts';
import { notFound } from '#kit/server/record/version.ts';
import { containsText } from '#kit/server/search.ts';
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
  tableOf,
  toValues,
  usesOf,
} from './sql.ts';

/** A row from the database: its fields by name, in their columns' types. */
interface ReadRow extends Values {
  id: number;
  version: number;
  isActive: boolean;
  displayName: string;
  usedBy: number;
  names: Record<string, string>;
}

/** A master's table is known only at run time, so its queries use this general row type. */
type MasterQuery = SelectQueryBuilder<{ own: ReadRow }, 'own', ReadRow>;

/** A master's rows with names and uses, filtered by the list's input. */
export async function narrowed(db: Database, master: Master, input: Values) {
  const { search = '', state = '' } = input as Partial<Record<'search' | 'state', string>>;
  let query = await selectRows(db, master);
  if (search !== '') query = query.where(containsText(searched(master), search));
  if (state !== '') query = query.where(sql<boolean>`${ownColumn('isActive')} = ${state === 'active'}`);
  for (const [name, field] of Object.entries(master.fields)) {
    const wanted = input[name];
    // No row has the number 0, so it stands for all rows.
    if (!isFilter(field) || wanted === undefined || wanted === '' || wanted === '0') continue;
    query = query.where(sql<boolean>`${ownColumn(name)} = ${filterValue(field, wanted)}`);
  }
  return query;
}

/** A filter's value in the type of its column. */
function filterValue({ kind }: Field, wanted: unknown): unknown {
  if (kind === 'ref') return Number(wanted);
  return kind === 'yesNo' ? wanted === 'yes' : wanted;
}

/** All searchable text of a row. */
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
      namesOf(namedBy(master)).as('names'),
      ...Object.keys(master.fields).map((name) => sql`${ownColumn(name)}`.as(name)),
    ]) as unknown as MasterQuery;
}

/** A database row in its wire form. */
export const toRow = (master: Master, row: ReadRow): MasterRow => ({
  ...toValues(master, row),
  id: row.id,
  version: row.version,
  isActive: row.isActive,
  displayName: row.displayName,
  usedBy: row.usedBy,
  names: row.names,
});

/** The order of the list's `sort`, descending for "-name"; by default the users' order, or by name. */
export function orderFor(master: Master, sort: string): Order {
  const name = sort.replace(/^-/, '');
  const isDescending = sort.startsWith('-');
  if (Object.hasOwn(master.fields, name)) return { ...orderOf(namedBy(master), name), isDescending, id: `${own}.id` };
  if (name !== '' && name !== 'displayName') throw malformed('This list has no such order.');
  return { by: sortKeyOf(namedBy(master)), as: 'text', isDescending, id: `${own}.id` };
}

/** One row, locked until the transaction ends if `locks`; throws `not_found`. */
export async function readRow({ db }: Context, master: Master, id: number, locks = false): Promise<MasterRow> {
  if (locks) {
    await lockTableForWrite(db, master.table);
    await sql`select 1 from ${tableOf(master)} where id = ${id} for update`.execute(db);
  }
  const query = await selectRows(db, master);
  const row = await query.where(sql<boolean>`${ownColumn('id')} = ${id}`).executeTakeFirstOrThrow(notFound);
  return toRow(master, row);
}

/** An action of a master, as named in the audit log. */
export const actionOf = ({ table }: Pick<Master, 'table'>, what: string) => `${table.replaceAll('_', '-')}.${what}`;

/** The values of a row that users enter, and its status. */
export const enteredNames = (master: Master): string[] => [...enteredOf(master).map(([name]) => name), 'isActive'];

/** A field's value in the type of its column. */
export const storedAs = (master: Master, name: string, value: unknown) => {
  const field = master.fields[name];
  return field ? stored(field, value) : value;
};

/** Changes of a master's order run one at a time. */
export const lockOrder = ({ db }: Context, { table }: Master) =>
  sql`select pg_advisory_xact_lock(hashtext(${`${table}.position`}))`.execute(db);
