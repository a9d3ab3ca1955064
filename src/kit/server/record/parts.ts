import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { notFound, requireVersion } from './version.ts';

interface IdAndVersion {
  id: number;
  version: number;
}

interface PartsOf<Row extends IdAndVersion, Draft> {
  /** The record in the actions of the audit log: "fee-frequency". */
  word: string;
  /** The table, and the messages for its constraints. */
  rules: ConstraintMessages;
  /** The rows in the order of the list, or the one with this id. */
  read: (ctx: UserContext, id?: number) => Promise<Row[]>;
  /** Writes the row and its parts: a new one, or one in place of `before`. */
  write: (ctx: UserContext, draft: Draft, before?: Row) => Promise<{ id: number }>;
  /** What the row says, for the audit log. */
  details: (row: Row) => Record<string, string>;
  /** Removes what goes with a row, where the database does not. */
  clear?: (ctx: UserContext, row: Row) => Promise<unknown>;
}

/**
 * Serves records with parts of their own that a `ShortList` shows: list, history, create, update and remove, and `lock`
 * and `end` for further acts on one. A save that changes nothing is neither counted nor logged.
 */
export function serveParts<Row extends IdAndVersion, Draft>({
  word,
  rules,
  read,
  write,
  details,
  clear,
}: PartsOf<Row, Draft>) {
  const { table } = rules;
  const readOne = async (ctx: UserContext, id: number): Promise<Row> => {
    const [row] = await read(ctx, id);
    if (!row) throw notFound();
    return row;
  };

  /** The row, locked until the transaction ends; throws `not_found`, and `stale` with what is saved. */
  const lock = async (ctx: UserContext, { id, version }: IdAndVersion): Promise<Row> => {
    await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(ctx.db);
    const row = await readOne(ctx, id);
    requireVersion(row, version, { saved: row });
    return row;
  };

  const log = (ctx: UserContext, { id, version }: IdAndVersion, act: string, about: Record<string, string>) =>
    audit(ctx, { action: `${word}.${act}`, entity: table, entityId: id, version, details: about });

  /** Counts a change of the row, which also sets these columns, and logs it. */
  const end = async (
    ctx: UserContext,
    id: number,
    act: string,
    about: Record<string, string>,
    columns: object = {},
  ) => {
    const sets = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}, `);
    const { rows } = await sql<IdAndVersion>`update ${sql.table(table)}
      set ${sql.join(sets, sql``)} version = version + 1 where id = ${id} returning id, version`.execute(ctx.db);
    const [saved] = rows as [IdAndVersion];
    await log(ctx, saved, act, about);
    return saved;
  };

  return {
    lock,
    end,
    list: async (ctx: UserContext) => ({ rows: await read(ctx) }),
    history: async (ctx: UserContext, asked: { id: number; before: string }) => {
      await readOne(ctx, asked.id);
      return readHistory(ctx, table, asked);
    },
    create: async (ctx: UserContext, draft: Draft): Promise<IdAndVersion> => {
      const { id } = await withConstraintMessages(ctx, rules, () => write(ctx, draft));
      const row = await readOne(ctx, id);
      await log(ctx, row, 'created', details(row));
      return { id, version: row.version };
    },
    update: async (ctx: UserContext, { id, version, ...draft }: Draft & IdAndVersion): Promise<IdAndVersion> => {
      const before = await lock(ctx, { id, version });
      await withConstraintMessages(ctx, rules, () => write(ctx, draft as unknown as Draft, before));
      const [was, is] = [details(before), details(await readOne(ctx, id))];
      const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
      if (changed.length === 0) return { id, version };
      const words = changed.map((name) => [name, `${was[name] || '–'} → ${is[name] || '–'}`]);
      return end(ctx, id, 'changed', Object.fromEntries(words));
    },
    remove: async (ctx: UserContext, asked: IdAndVersion) => {
      const row = await lock(ctx, asked);
      await clear?.(ctx, row);
      await withConstraintMessages(ctx, rules, () =>
        sql`delete from ${sql.table(table)} where id = ${row.id}`.execute(ctx.db),
      );
      await log(ctx, row, 'removed', details(row));
      return {};
    },
  };
}
