import { malformed } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';

const pageSize = 20;

interface Asked {
  id: number;
  before: string;
}

/**
 * The audit rows of one record, newest first; `before` turns the page. Throws `malformed` for a page that no answer
 * gave.
 */
export async function readHistory(
  { db, auditWords }: Pick<Context, 'db' | 'auditWords'>,
  entity: string,
  { id, before }: Asked,
) {
  if (!/^[0-9]{0,18}$/.test(before)) throw malformed('This page of the history does not exist.');
  const rows = await db
    .selectFrom('audit')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .$if(before !== '', (query) => query.where('id', '<', before))
    .select(['id', 'at', 'actor', 'action', 'details'])
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  return {
    rows: page.map(({ id, at, actor, action, details }) => ({
      id: Number(id),
      at: at.toISOString(),
      actor,
      act: auditWords.actions[action]?.words ?? verbatim(action),
      action: action.slice(action.lastIndexOf('.') + 1),
      details: Object.fromEntries(
        Object.entries(details as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
      ),
    })),
    next: rows.length > pageSize ? String(page.at(-1)?.id) : null,
  };
}
