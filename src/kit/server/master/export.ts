import { type Expression, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { refsOf } from '#kit/contract/field.ts';
import { type Master, type MasterRow, mostExported, type Values } from '#kit/contract/master.ts';
import { tableKinds } from '#kit/contract/served-file.ts';
import { english, text } from '#kit/contract/text.ts';
import { tableFile } from '#kit/server/list/table-file.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { UserContext } from '../context.ts';
import { labelled, shown } from './details.ts';
import { actionOf, narrowed, orderFor, selectRows, toRow } from './rows.ts';
import { ownColumn } from './sql.ts';

/** The filtered rows, or the selected ones, as a file that can be imported again. The export is audited with its user (H1). */
export async function exportMaster(ctx: UserContext, master: Master, input: Values) {
  const ids = String(input.ids ?? '');
  const query = ids
    ? (await selectRows(ctx.db, master)).where(sql<boolean>`${ownColumn('id')} = any(${ids.split(',').map(Number)})`)
    : await narrowed(ctx.db, master, input);
  const { by, isDescending } = orderFor(master, String(input.sort));
  const found = await query
    .orderBy(by as Expression<string>, isDescending ? 'desc' : 'asc')
    .limit(mostExported + 1)
    .execute();
  if (found.length > mostExported) throw new AppError('conflict', text`This list is too long. Filter it first.`);
  const rows = found.map((row) => toRow(master, row));
  const columns = labelled(master);
  const heads = columns.map(([, label]) => label);
  const cells = rows.map((row) => columns.map(([name, , field]) => cellOf(name, field, row)));
  const name = english(master.plural).replaceAll(' ', '-');
  const table = { name, title: master.plural, heads, rows: cells };
  // The input schema has refused all other values.
  const as = tableKinds.find((kind) => kind === input.as) ?? 'csv';
  const people = refsOf(master).filter(([, { to }]) => to !== 'self' && to.isPeople);
  const names = rows.filter((row) => people.some(([name]) => row.names[name])).length;
  const details = { rows: rows.length, as };
  const act = { action: actionOf(master, 'exported'), entity: master.table, entityId: 0, details };
  return takeNames(ctx, { ...act, names }, () => tableFile(ctx, table, as));
}

/**
 * Numbers stay numbers, so that a spreadsheet can calculate with them: amounts in rupees, percentages as such. Other
 * values are as displayed.
 */
function cellOf(name: string, field: Parameters<typeof shown>[1], row: MasterRow): string | number | null {
  const value = row[name];
  if (field?.kind === 'ref') return row.names[name] || null;
  if (value === null || value === '') return null;
  if (typeof value !== 'number') return shown(name, field, row);
  return field?.kind === 'money' || field?.kind === 'percent' ? value / 100 : value;
}
