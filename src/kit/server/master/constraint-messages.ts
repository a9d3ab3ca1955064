import { sql } from 'kysely';
import pg from 'pg';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Master, takenMessage } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '../context.ts';
import { columnOf } from './sql.ts';

/** Rows whose rules have words; a table that is no master has no fields here. */
export interface ConstraintMessages extends Pick<Master, 'table' | 'fields' | 'constraintMessages'> {
  /** The field of an act that shows what another feature's rule refuses; without it the refusal names no field. */
  otherRulesAt?: string;
}

/**
 * Does something with a master's rows, and says in words, beside the field, which rule of the database it broke: those the
 * definition names, those of other features (`constraintMessages` in their manifests), and every unique index that is named
 * after its table and column.
 */
export async function withConstraintMessages<Result>(
  { db, constraintMessages }: Pick<Context, 'db' | 'constraintMessages'>,
  master: ConstraintMessages,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    const done = await act();
    // Rules that wait for the end of the transaction are asked now, while somebody listens.
    await sql`set constraints all immediate`.execute(db);
    return done;
  } catch (error) {
    throw refusalOf(master, constraintMessages, error) ?? error;
  }
}

function refusalOf(
  master: ConstraintMessages,
  ofOthers: Context['constraintMessages'],
  error: unknown,
): AppError | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { code, constraint = '', table, detail } = error;
  const own = master.constraintMessages?.[constraint];
  if (own) return fieldRefusal(own.field, own.message);
  const other = ofOthers[constraint];
  if (other) return master.otherRulesAt ? fieldRefusal(master.otherRulesAt, other) : new AppError('conflict', other);
  if (code === '23505') {
    const name = fieldOf(master, constraint, 'unique');
    if (name) return fieldRefusal(name, takenMessage);
  }
  if (code === '23503') {
    // Of a row that goes, it is another one that points to it; the words tell the two apart.
    const isGoing = /is still referenced/.test(detail ?? '');
    const name = !isGoing && table === master.table && fieldOf(master, constraint, 'fkey');
    if (name) return fieldRefusal(name, goneMessage);
    return new AppError('conflict', usedMessage);
  }
  return undefined;
}

/** Refuses a choice that someone else has just deleted. */
export const goneMessage = text`This entry is no longer available. Choose another one.`;
export const usedMessage = text`This is in use, so it can’t be deleted. Deactivate it instead.`;

const fieldOf = ({ table, fields }: ConstraintMessages, constraint: string, kind: string) =>
  Object.keys(fields).find((name) => constraint === `${table}_${columnOf(name)}_${kind}`);
