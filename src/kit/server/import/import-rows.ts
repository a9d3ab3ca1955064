import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportAnswer, ImportRow, RowStatus } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';

/** A row of a file, and what its import does. */
export interface ImportLine extends ImportRow {
  /** The row it changes. */
  before: { id: number; version: number } | undefined;
}

interface Import<Line> {
  /** What was sent; the token stands for all of it. */
  input: { confirmToken?: string | undefined };
  rules: ConstraintMessages;
  /** The field beside which is said what belongs to none. */
  field: string;
  /** Keeps others from writing to the table. A preview does without. */
  lockTable: () => Promise<unknown>;
  /** Reads the file's rows and compares them with what is there. */
  compare: () => Promise<Line[]>;
  /** Writes rows in a few statements. */
  write: (lines: Line[]) => Promise<unknown>;
  audit: (lines: Line[], counts: ImportAnswer['counts']) => Promise<unknown>;
}

/** Imports the rows of a file, all or none: previews what would become of each, and does just that once it is confirmed. */
export function importRows<Line extends ImportLine>(ctx: UserContext, how: Import<Line>): Promise<ImportAnswer> {
  const { confirmToken, ...input } = how.input;
  return previewOrApply(ctx, confirmToken, async (isPreview) => {
    if (!isPreview) await how.lockTable();
    const lines = await how.compare();
    await tryAll(ctx, lines.filter(isWritten), how, { refused: 0 });
    const answer = importAnswerOf(lines);
    const isRefused = answer.counts.wrong > 0;
    if (!isPreview && !isRefused) await how.audit(lines, answer.counts);
    const versions = lines.map(({ line, status, before }) => [line, status, before?.id, before?.version]);
    return { answer, basis: [input, versions], isRefused };
  });
}

/** Whether a row is added or changed. */
export const isWritten = ({ status }: { status: RowStatus }): boolean => status === 'added' || status === 'changed';

/** What becomes of each row, without what only the server knows of it, and how many rows become what. */
export function importAnswerOf(lines: readonly ImportRow[]): Pick<ImportAnswer, 'rows' | 'counts'> {
  const counts = { added: 0, changed: 0, same: 0, wrong: 0 };
  for (const { status } of lines) counts[status]++;
  return {
    rows: lines.map(({ line, displayName, status, messages }) => ({ line, displayName, status, messages })),
    counts,
  };
}

/** Refuses a row that repeats an earlier one. */
export const twiceMessage = (line: number) => text`Line ${{ line }} of the file has the same entry.`;

/** How many rows are tried one by one: others wait for them meanwhile. */
const mostRefused = 50;
const unseenMessage = text`More than ${{ mostRefused }} rows have errors. Correct those first.`;

/**
 * Writes rows, all in a few statements; where the database refuses them it tries each half alone, until it is known which
 * ones it refuses, and why.
 */
async function tryAll<Line extends ImportLine>(
  ctx: UserContext,
  lines: Line[],
  how: Import<Line>,
  found: { refused: number },
): Promise<void> {
  if (lines.length === 0) return;
  if (found.refused >= mostRefused) {
    for (const line of lines) line.status = 'wrong';
    for (const line of lines) line.messages = { [how.field]: unseenMessage };
    return;
  }
  await sql`savepoint part`.execute(ctx.db);
  try {
    await withConstraintMessages(ctx, how.rules, () => how.write(lines));
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
      only.status = 'wrong';
      only.messages = Object.keys(error.fields).length > 0 ? error.fields : { [how.field]: error.text };
    }
  }
}
