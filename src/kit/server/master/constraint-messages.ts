import { sql } from 'kysely';
import pg from 'pg';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { takenMessage } from '#kit/contract/field.ts';
import type { ConstraintWords, Master } from '#kit/contract/master.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { columnOf } from '#kit/server/database/row-map.ts';
import type { Context } from '../context.ts';

/** Tables with constraint messages; a table without a master has no fields here. */
export interface ConstraintMessages extends Pick<Master, 'table' | 'fields' | 'constraintMessages'> {
  /** The act's field that shows another feature's refusal; without it the refusal names no field. */
  otherRulesAt?: string;
}

/**
 * Runs an act on a master's rows, and turns a broken constraint into a refusal at its field: those of the definition,
 * those of other features' manifests, and every unique index named after its table and column.
 */
export async function withConstraintMessages<Result>(
  { db, constraintMessages }: Pick<Context, 'db' | 'constraintMessages'>,
  master: ConstraintMessages,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    const done = await act();
    // Deferred constraints are checked now, while the error can still be translated.
    await sql`set constraints all immediate`.execute(db);
    return done;
  } catch (error) {
    throw constraintRefusal({ constraintMessages }, master, error) ?? error;
  }
}

/** The refusal that a broken constraint means; undefined for every other error. For acts without deferred constraints. */
export function constraintRefusal(
  { constraintMessages: ofOthers }: Pick<Context, 'constraintMessages'>,
  master: ConstraintMessages,
  error: unknown,
): AppError | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { code, constraint = '', table, detail } = error;
  const own = master.constraintMessages?.[constraint];
  if (own) return fieldRefusal(own.field, wordsOf(own.message, error));
  const words = ofOthers[constraint];
  const other = words && wordsOf(words, error);
  if (other) return master.otherRulesAt ? fieldRefusal(master.otherRulesAt, other) : new AppError('conflict', other);
  if (code === '23505') {
    const name = fieldOf(master, constraint, 'unique');
    if (name) return fieldRefusal(name, takenMessage);
  }
  if (code === '23503') {
    // For a deleted row, the other table's reference is broken; the message distinguishes the two.
    const isGoing = /is still referenced/.test(detail ?? '');
    const name = !isGoing && table === master.table && fieldOf(master, constraint, 'fkey');
    if (name) return fieldRefusal(name, goneMessage);
    return new AppError('conflict', usedMessage);
  }
  return undefined;
}

/** The refusal of a constraint of the manifests that an operation met because it did not ask first. */
export function unaskedRefusal(
  { constraintMessages }: Pick<Context, 'constraintMessages'>,
  error: unknown,
): AppError | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const words = constraintMessages[error.constraint ?? ''];
  return words && new AppError('conflict', wordsOf(words, error));
}

const wordsOf = (words: ConstraintWords, { detail }: pg.DatabaseError): Text =>
  typeof words === 'function' ? words(detail ?? '') : words;

/** Refuses a choice that another user has just deleted. */
export const goneMessage = text`This entry is inactive. Choose another one.`;
const usedMessage = text`This is in use, so it can’t be deleted. Deactivate it instead.`;

const fieldOf = ({ table, fields }: ConstraintMessages, constraint: string, kind: string) =>
  Object.keys(fields).find((name) => constraint === `${table}_${columnOf(name)}_${kind}`);
