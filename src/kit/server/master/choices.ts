import { type RawBuilder, sql } from 'kysely';
import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { inactiveMessage, type Named, refsOf } from '#kit/contract/field.ts';
import { targetOf, type Values } from '#kit/contract/master.ts';
import type { Context } from '../context.ts';
import { isOfKind, ownColumn, ownTable } from './sql.ts';

/** For each chosen row that is inactive or of another list, a query of the `name` of its field. */
export const inactiveAmong = (named: Pick<Named, 'fields'>, chosen: Values): RawBuilder<unknown>[] =>
  refsOf(named)
    .filter(([name]) => typeof chosen[name] === 'number')
    .map(([name, field]) => {
      const target = targetOf(named as Named, field);
      return sql`select ${name}::text as name from ${ownTable(target)}
        where ${ownColumn('id')} = ${chosen[name]} and not (${ownColumn('isActive')} and ${isOfKind(target)})`;
    });

/** Refuses new references to inactive rows and to rows of another list; what was chosen before may stay. */
export async function refuseInactive({ db }: Pick<Context, 'db'>, named: Pick<Named, 'fields'>, chosen: Values) {
  const asked = inactiveAmong(named, chosen);
  if (asked.length === 0) return;
  const { rows } = await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(db);
  if (rows.length === 0) return;
  const fields = Object.fromEntries(rows.map(({ name }) => [name, inactiveMessage]));
  throw new AppError('invalid', problemMessage, { fields });
}
