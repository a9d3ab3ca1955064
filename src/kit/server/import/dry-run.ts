import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Fate, ImportAnswer } from '#kit/contract/master.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Ruled, refusing } from '#kit/server/master/refusals.ts';

/** A row of a file, and what becomes of it. */
export interface Judged {
  line: number;
  called: string;
  fate: Fate;
  says: Record<string, string>;
  /** The row it changes. */
  before: { id: number; version: number } | undefined;
}

interface Settling<Line> {
  rules: Ruled;
  /** The file itself: what was agreed to is that file, too. */
  file: string;
  /** The digest of what was said would happen; without it nothing does. */
  expected: string | undefined;
  /** The field beside which is said what belongs to none. */
  place: string;
  /** Writes rows in a few statements. */
  write: (lines: Line[]) => Promise<unknown>;
  /** Writes down what was done. */
  note: (counts: ImportAnswer['counts']) => Promise<unknown>;
}

/**
 * Tries out what was judged of a file's rows. It is done only where that is still what `expected` stands for and nothing
 * is refused, by the judge or by the database; otherwise nothing is left of it but what is said.
 */
export async function settle<Line extends Judged>(
  ctx: UserContext,
  lines: Line[],
  how: Settling<Line>,
): Promise<ImportAnswer> {
  await sql`savepoint before_import`.execute(ctx.db);
  const written = lines.filter(({ fate }) => fate === 'added' || fate === 'changed');
  await tryAll(ctx, written, how, { refused: 0 });
  const counts = { added: 0, changed: 0, same: 0, wrong: 0 };
  for (const { fate } of lines) counts[fate]++;
  const digest = digestOf(how.file, lines);
  const isDone = counts.wrong === 0 && digest === how.expected;
  if (isDone) await how.note(counts);
  else await sql`rollback to savepoint before_import`.execute(ctx.db);
  const rows = lines.map(({ line, called, fate, says }) => ({ line, called, fate, says }));
  return { rows, counts, digest, isDone };
}

/** Stands for what becomes of each row and which version it becomes it of: what was changed since changes it. */
const digestOf = (file: string, lines: Judged[]) =>
  createHash('sha256')
    .update(file)
    .update(JSON.stringify(lines.map(({ line, fate, before }) => [line, fate, before?.id, before?.version])))
    .digest('base64url');

/** Said of a row that another one before it is about too. */
export const twiceMessage = (line: number) => `Line ${line} of the file is about the same.`;

/** How many rows are tried out one by one: the table is held meanwhile. */
const mostRefused = 50;
const unseenMessage = `More than ${mostRefused} rows are refused already. Mend those first.`;

/**
 * Writes rows, all in a few statements; where the database refuses them it tries each half alone, until it is known which
 * ones it refuses, and why.
 */
async function tryAll<Line extends Judged>(
  ctx: UserContext,
  lines: Line[],
  how: Settling<Line>,
  found: { refused: number },
): Promise<void> {
  if (lines.length === 0) return;
  if (found.refused >= mostRefused) {
    for (const line of lines) line.fate = 'wrong';
    for (const line of lines) line.says = { [how.place]: unseenMessage };
    return;
  }
  await sql`savepoint part`.execute(ctx.db);
  try {
    await refusing(ctx, how.rules, () => how.write(lines));
    await sql`release savepoint part`.execute(ctx.db);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await sql`rollback to savepoint part`.execute(ctx.db);
    const [only, ...others] = lines as [Line, ...Line[]];
    if (others.length > 0) {
      const half = Math.ceil(lines.length / 2);
      await tryAll(ctx, lines.slice(0, half), how, found);
      await tryAll(ctx, lines.slice(half), how, found);
    } else {
      found.refused++;
      only.fate = 'wrong';
      only.says = Object.keys(error.fields).length > 0 ? error.fields : { [how.place]: error.message };
    }
  }
}
