import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportAnswer, ImportRow, RowStatus } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import type { FileRow } from './read-table.ts';

/** A row of a file, and the effect of its import. */
export interface ImportLine extends Omit<ImportRow, 'cells'> {
  /** The row it changes. */
  before: { id: number; version: number } | undefined;
}

interface Import<Line> {
  /** The request's input, which the confirm token stands for. */
  input: { confirmToken?: string | undefined };
  rules: ConstraintMessages;
  /** The field for messages that belong to no other field. */
  field: string;
  /** Locks the table against writes by others. A preview runs without it. */
  lockTable: () => Promise<unknown>;
  /** Reads the rows of the file and compares them with the stored ones. */
  compare: () => Promise<Line[]>;
  /** Writes rows in a few statements. */
  write: (lines: Line[]) => Promise<unknown>;
  audit: (lines: Line[], counts: ImportAnswer['counts']) => Promise<unknown>;
}

/** Imports all rows of a file or none: previews the effect of each, and applies exactly that after confirmation. */
export function importRows<Line extends ImportLine>(ctx: UserContext, how: Import<Line>): Promise<ImportAnswer> {
  const { confirmToken, ...input } = how.input;
  return previewOrApply(ctx, confirmToken, async (isPreview) => {
    if (!isPreview) await how.lockTable();
    const lines = await how.compare();
    await tryAll(ctx, lines.filter(isWritten), how, { refused: 0 });
    const answer = importAnswerOf(lines, ctx.table());
    const isRefused = answer.counts.wrong > 0;
    if (!isPreview && !isRefused) await how.audit(lines, answer.counts);
    const versions = lines.map(({ line, status, before }) => [line, status, before?.id, before?.version]);
    return { answer, basis: [input, versions], isRefused };
  });
}

/** Whether a row is added or changed. */
export const isWritten = ({ status }: { status: RowStatus }): boolean => status === 'added' || status === 'changed';

/** The outcome of each row for the client, the number of rows per outcome, and the wrong rows as they are in the file. */
export function importAnswerOf(
  lines: readonly Omit<ImportRow, 'cells'>[],
  [head, ...file]: FileRow[] = [],
): Pick<ImportAnswer, 'rows' | 'counts' | 'heads'> {
  const counts = { added: 0, changed: 0, same: 0, wrong: 0 };
  for (const { status } of lines) counts[status]++;
  const cellsOf = new Map(file.map(({ line, cells }) => [line, cells]));
  const rows = lines.map(({ line, displayName, status, messages }) => {
    const cells = status === 'wrong' ? cellsOf.get(line) : undefined;
    return { line, displayName, status, messages, ...(cells && { cells }) };
  });
  return { rows, counts, ...(head && counts.wrong > 0 && { heads: head.cells }) };
}

/** Refuses a row that repeats an earlier one. */
export const twiceMessage = (line: number) => text`Line ${{ line }} of the file has the same entry.`;

/** The most rows tried individually: the table is locked in the meantime. */
const mostRefused = 50;
const unseenMessage = text`More than ${{ mostRefused }} rows have errors. Correct those first.`;

/**
 * Writes rows in a few statements; where the database refuses them, tries each half separately until each refused row
 * and its reason is found.
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
