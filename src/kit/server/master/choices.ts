import { sql } from 'kysely';
import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { inactiveMessage, refsOf } from '#kit/contract/field.ts';
import { type Master, namedBy, targetOf, type Values } from '#kit/contract/master.ts';
import type { Context } from '../context.ts';
import { ownColumn, ownTable } from './sql.ts';

/** Refuses new references to inactive rows; existing ones may stay. */
export async function refuseInactive({ db }: Context, master: Master, chosen: Values) {
  const asked = refsOf(master)
    .filter(([name]) => typeof chosen[name] === 'number')
    .map(([name, field]) => {
      const target = ownTable(targetOf(namedBy(master), field));
      return sql`select ${name}::text as name from ${target}
        where ${ownColumn('id')} = ${chosen[name]} and not ${ownColumn('isActive')}`;
    });
  if (asked.length === 0) return;
  const { rows } = await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(db);
  if (rows.length === 0) return;
  const fields = Object.fromEntries(rows.map(({ name }) => [name, inactiveMessage]));
  throw new AppError('invalid', problemMessage, { fields });
}
