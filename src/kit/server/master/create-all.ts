import { sql } from 'kysely';
import { emptyValues, type Master, type MasterRow, type Values } from '#kit/contract/master.ts';
import { columnOf } from '#kit/server/database/row-map.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { UserContext } from '../context.ts';
import { withConstraintMessages } from './constraint-messages.ts';
import { namedDetails } from './details.ts';
import { actionOf, enteredNames, lockOrder, selectRows, storedAs, toRow } from './rows.ts';
import { column, tableOf } from './sql.ts';

/** Creates rows of a master, given their valid values; their history says where they are from. */
export async function createAll(
  ctx: UserContext,
  master: Master,
  all: readonly Values[],
  from = 'file',
): Promise<MasterRow[]> {
  if (all.length === 0) return [];
  if (master.isOrdered) await lockOrder(ctx, master);
  const names = enteredNames(master);
  const records = all.map((values, position) => ({
    ...Object.fromEntries(names.map((name) => [columnOf(name), storedAs(master, name, values[name])])),
    position,
  }));
  const next = sql`, (select coalesce(max(position), 0) + 1 from ${tableOf(master)}) + input.position`;
  const { rows: made } = await withConstraintMessages(ctx, master, () =>
    sql<{ id: number }>`
      insert into ${tableOf(master)} (${sql.join(names.map(column))} ${master.isOrdered ? sql`, position` : sql``})
      select ${sql.join(names.map((name) => sql`input.${column(name)}`))} ${master.isOrdered ? next : sql``}
      from jsonb_populate_recordset(null::${tableOf(master)}, ${JSON.stringify(records)}) with ordinality as input
      order by ordinality returning id`.execute(ctx.db),
  );
  const query = await selectRows(ctx.db, master);
  const stored = await query
    .where(
      'id',
      'in',
      made.map(({ id }) => id),
    )
    .execute();
  const byId = new Map(stored.map((row) => [row.id, toRow(master, row)]));
  const rows = made.flatMap(({ id }) => byId.get(id) ?? []);
  await auditAll(
    ctx,
    rows.map((row) => ({
      action: actionOf(master, 'created'),
      entity: master.table,
      entityId: row.id,
      version: 1,
      details: { ...namedDetails(master, row), From: from },
    })),
  );
  return rows;
}

/** As `createAll`, of what a form would send; values that are left out are empty. */
export const createEntered = (ctx: UserContext, master: Master, all: readonly Values[], from: string) =>
  createAll(
    ctx,
    master,
    all.map((values) => master.api.create.input.parse({ ...emptyValues(master), ...values }) as Values),
    from,
  );
