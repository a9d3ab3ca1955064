import { AppError } from '#kit/contract/errors.ts';
import type { Master } from '#kit/contract/master.ts';
import type { Context } from '../context.ts';
import { readRow } from './rows.ts';

const pageSize = 20;

/** Who made, changed or moved a row, and what of it, the newest first. */
export async function historyOf(ctx: Context, master: Master, { id, before }: { id: number; before: string }) {
  if (!/^[0-9]{0,18}$/.test(before)) throw new AppError('malformed', 'This page of the history does not exist.');
  const rows = await ctx.db
    .selectFrom('audit')
    .where('entity', '=', master.table)
    .where('entity_id', '=', id)
    .$if(before !== '', (query) => query.where('id', '<', before))
    .select(['id', 'at', 'actor', 'action', 'details'])
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute();
  if (rows.length === 0 && before === '') await readRow(ctx, master, id); // Made with the school, or never.
  const page = rows.slice(0, pageSize);
  return {
    rows: page.map(({ id, at, actor, action, details }) => ({
      ...{ id: Number(id), at: at.toISOString(), actor, action: action.slice(action.lastIndexOf('.') + 1) },
      details: details as Record<string, string>,
    })),
    next: rows.length > pageSize ? String(page.at(-1)?.id) : null,
  };
}
