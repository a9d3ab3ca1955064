import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ImportAnswer, ImportRow, RowStatus } from '#kit/contract/import.ts';
import { mostPreviewed } from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { keepImport, rowsBefore } from './import-journal.ts';
import { createEntries, type ImportTarget } from './import-target.ts';
import { rememberWords } from './import-words.ts';

/** A row of a file, and the effect of its import. */
export interface ImportLine extends ImportRow {
  /** The row it changes. */
  before: { id: number; version: number } | undefined;
  /** The id of the row, once it is written. */
  id?: number;
  /** The import does more to the row’s record than an undo covers. */
  isBeyondUndo?: boolean;
  /** The values as they are stored, by field. */
  stored?: Readonly<Record<string, unknown>>;
}

interface Import<Line> {
  /** The request's input, which the confirm token stands for. */
  input: { plan?: ImportPlan | undefined; confirmToken?: string | undefined };
  target: ImportTarget;
  rules: ConstraintMessages;
  /** Locks the table against writes by others. A preview runs without it. */
  lockTable: () => Promise<unknown>;
  /** Reads the rows of the file and compares them with the stored ones. */
  compare: () => Promise<Line[]>;
  /** Writes rows in a few statements. */
  write: (lines: Line[]) => Promise<unknown>;
  audit: (lines: Line[], counts: ImportAnswer['counts']) => Promise<unknown>;
}

/** The answer to a file, and the outcome of each of its rows. */
export type ImportOutcome = ImportAnswer & { lines: readonly (ImportRow & Pick<ImportLine, 'stored'>)[] };

/** Few enough for a statement's deadline, also on a slow machine. */
const mostAtOnce = 1000;

/**
 * Imports all rows of a file, or only the good rows if the user chose so: previews the effect of each, and applies
 * exactly that after confirmation.
 */
export function importRows<Line extends ImportLine>(ctx: UserContext, how: Import<Line>): Promise<ImportOutcome> {
  const { target } = how;
  const { confirmToken, ...input } = how.input;
  return previewOrApply(ctx, confirmToken, async (isPreview) => {
    if (!isPreview) await how.lockTable();
    const created = await createEntries(ctx, target, input.plan);
    const lines = await how.compare();
    // Changes first: a changed row may give way to a new one.
    const written = lines.filter(isWritten).sort((row, other) => Number(!row.before) - Number(!other.before));
    const changed = written.flatMap(({ before }) => (before ? [before.id] : []));
    const were = isPreview ? new Map<number, Record<string, unknown>>() : await rowsBefore(ctx, target, changed);
    const found = { refused: 0 };
    for (let done = 0; done < written.length; done += mostAtOnce)
      await tryAll(ctx, written.slice(done, done + mostAtOnce), how, found);
    const answer = { ...importAnswerOf(lines), lines };
    const isRefused = isStopped(answer.counts, input.plan);
    let importId: number | undefined;
    if (!isPreview && !isRefused) {
      const done = lines.filter(isWritten);
      await how.audit(
        lines.filter(({ status }) => status !== 'wrong'),
        answer.counts,
      );
      const rows = done.flatMap(({ line, displayName, before, isBeyondUndo, id = before?.id }) =>
        id === undefined ? [] : [{ line, id, name: displayName, isBeyondUndo, was: before && were.get(before.id) }],
      );
      const table = ctx.table();
      importId = await keepImport(ctx, target, { plan: input.plan, table, counts: answer.counts, created, rows });
      await rememberWords(ctx, target.kind, input.plan, table.fileHeads ?? []);
    }
    const versions = lines.map(({ line, status, before }) => [line, status, before?.id, before?.version]);
    return { answer: { ...answer, ...(importId && { importId }) }, basis: [input, versions], isRefused };
  });
}

/** Whether nothing may be imported: a row has an error and the user wants all, or no row is left. */
export const isStopped = (counts: ImportAnswer['counts'], plan: ImportPlan | undefined): boolean =>
  counts.wrong > 0 && (plan?.mode !== 'good' || counts.added + counts.changed === 0);

/** Whether a row is added or changed. */
export const isWritten = ({ status }: { status: RowStatus }): boolean => status === 'added' || status === 'changed';

/** The number of rows per outcome, and the first rows: those with errors, then new, changed and unchanged ones. */
export function importAnswerOf(lines: readonly ImportRow[]): Pick<ImportAnswer, 'rows' | 'counts'> {
  const by = Map.groupBy(lines, ({ status }) => status);
  const of = (status: RowStatus) => by.get(status) ?? [];
  const counts = {
    added: of('added').length,
    changed: of('changed').length,
    same: of('same').length,
    wrong: of('wrong').length,
  };
  const rows = [...of('wrong'), ...of('added'), ...of('changed'), ...of('same')].slice(0, mostPreviewed);
  return { rows, counts };
}

/** Refuses a row that repeats an earlier one. */
export const twiceMessage = (line: number) => text`Line ${{ line }} of the file has the same entry.`;

/** The key of a message that belongs to no field. */
const noField = '';

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
    for (const line of lines) line.messages = { [noField]: unseenMessage };
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
      only.messages = Object.keys(error.fields).length > 0 ? error.fields : { [noField]: error.text };
    }
  }
}
