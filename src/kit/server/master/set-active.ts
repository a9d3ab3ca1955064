import { sql } from 'kysely';
import * as z from 'zod/mini';
import { AppError, malformed } from '#kit/contract/errors.ts';
import { mostSelected, type Selection } from '#kit/contract/list-view.ts';
import { isActiveLabel, type Master, type Values } from '#kit/contract/master.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { UserContext } from '../context.ts';
import { withConstraintMessages } from './constraint-messages.ts';
import { actionOf, narrowed } from './rows.ts';
import { column, lockTableForWrite, ownColumn, ownTable, tableOf } from './sql.ts';

export interface Setting {
  selection: Selection;
  isActive: boolean;
}

/** Activates or deactivates rows in one statement. Rows that are fixed, gone or in that state already are skipped. */
export async function setActive(ctx: UserContext, master: Master, { selection, isActive }: Setting) {
  const { db } = ctx;
  const chosen = await idsOf(ctx, master, selection);
  await lockTableForWrite(db, master.table);
  const isFixed = master.fixedBy ? ownColumn(master.fixedBy) : sql`false`;
  const { rows: changed } = await withConstraintMessages(ctx, master, () =>
    sql<{ id: number; version: number }>`
      update ${ownTable(master)} set ${column('isActive')} = ${isActive}, version = version + 1
      where id = any(${chosen}::integer[]) and ${column('isActive')} <> ${isActive} and not ${isFixed}
      returning id, version`.execute(db),
  );
  const [was, is] = isActive ? ['No', 'Yes'] : ['Yes', 'No'];
  const act = { action: actionOf(master, 'changed'), entity: master.table };
  const details = { [english(isActiveLabel)]: `${was} → ${is}` };
  await auditAll(
    ctx,
    changed.map(({ id, version }) => ({ ...act, entityId: id, version, details })),
  );
  const ids = changed.map(({ id }) => id);
  return {
    changed: ids,
    skipped: await skippedOf(
      ctx,
      master,
      chosen.filter((id) => !ids.includes(id)),
      isActive,
    ),
  };
}

/** The ids of the selected rows. */
async function idsOf({ db }: UserContext, master: Master, { ids, isAll, query }: Selection): Promise<number[]> {
  if (!isAll) return ids;
  const asked = z.object(master.query).safeParse(query);
  if (!asked.success) throw malformed('This list has no such filter.');
  const records = await narrowed(db, master, asked.data as Values);
  const rows = await records
    .clearSelect()
    .select(sql<number>`${ownColumn('id')}`.as('id'))
    .where(sql<boolean>`not ${ownColumn('id')} = any(${ids}::integer[])`)
    .limit(mostSelected + 1)
    .execute();
  if (rows.length > mostSelected) throw new AppError('conflict', text`This list is too long. Filter it first.`);
  return rows.map(({ id }) => id);
}

/** Why rows were left as they are, and how many for each reason. */
async function skippedOf({ db }: UserContext, master: Master, ids: number[], isActive: boolean) {
  const { rows } = await sql<{ fixed: number; found: number }>`
    select count(*) filter (where ${master.fixedBy ? column(master.fixedBy) : sql`false`}) as fixed, count(*) as found
    from ${tableOf(master)} where id = any(${ids}::integer[])`.execute(db);
  const { fixed, found } = rows[0] as { fixed: number; found: number };
  const reasons: [message: Text, count: number][] = [
    [text`Used by a form`, fixed],
    [isActive ? text`Already active` : text`Already inactive`, found - fixed],
    [text`Already deleted`, ids.length - found],
  ];
  return reasons.flatMap(([message, count]) => (count > 0 ? [{ message, count }] : []));
}
