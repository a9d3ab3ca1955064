import { type Field, isNeeded } from '#kit/contract/field.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import { neededMark, reasonsHead } from '#kit/contract/import-limits.ts';
import type { SheetKind } from '#kit/contract/served-file.ts';
import { english, withLabel } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type SheetColumn, sheetFile } from '#kit/server/list/table-file.ts';
import type { ImportOutcome } from './import-rows.ts';

/** The file that an import takes. */
interface ImportedFile {
  /** Its name, without the ending. */
  name: string;
  /** The columns of its template. */
  fields: Readonly<Record<string, Field>>;
}

interface Files {
  as: SheetKind;
}

/** The handlers of an import: itself, its template, and the rows that it refuses. `run` previews or applies a file. */
export const importHandlers = <Input extends object>(
  { name, fields }: ImportedFile,
  run: (ctx: UserContext, input: Input & { confirmToken?: string | undefined }) => Promise<ImportOutcome>,
) => ({
  import: async (ctx: UserContext, input: Input & { confirmToken?: string | undefined }) => {
    const { lines: _, ...answer } = await run(ctx, input);
    return answer;
  },
  importTemplate: (ctx: UserContext, { as }: Files) => {
    const all = Object.values(fields);
    return sheetFile(ctx, { name, heads: all.map(headOf), rows: [], columns: all.map(columnOf) }, as);
  },
  importErrors: async (ctx: UserContext, { as, ...input }: Input & Files) => {
    const { lines } = await run(ctx, input as unknown as Input);
    const { heads, rows: file } = ctx.table();
    // A file that was corrected before has a column of reasons.
    const kept = [...heads.keys()].filter((index) => heads[index] !== english(reasonsHead));
    const reasons = new Map(
      lines.flatMap(({ line, status, messages }) =>
        status === 'wrong' ? [[line, reasonOf(messages, fields)] as const] : [],
      ),
    );
    const rows = file
      .filter(({ line }) => reasons.has(line))
      .map(({ line, cells }) => [...kept.map((index) => cells[index] ?? ''), reasons.get(line) ?? '']);
    const keptHeads = [...kept.map((index) => heads[index] ?? ''), english(reasonsHead)];
    const columns = keptHeads.map((): SheetColumn => ({ kind: 'text' }));
    return sheetFile(ctx, { name: `${name}-errors`, heads: keptHeads, rows, columns }, as);
  },
});

const reasonOf = (messages: ImportRow['messages'], fields: ImportedFile['fields']) =>
  Object.entries(messages)
    .map(([name, message]) => withLabel(message, fields[name]?.label, english))
    .join(' ');

const headOf = (field: Field) => (isNeeded(field) ? `${english(field.label)} ${neededMark}` : english(field.label));

/** The choices of several words are text, since a cell's list offers one. */
function columnOf(field: Field): SheetColumn {
  switch (field.kind) {
    case 'date':
    case 'birthDate':
      return { kind: 'date' };
    case 'number':
      return { kind: 'number' };
    // Typed amounts have commas and a currency, which a cell of numbers would lose.
    case 'money':
    case 'percent':
      return { kind: 'text' };
    case 'yesNo':
      return { kind: 'text', choices: ['Yes', 'No'] };
    case 'oneOf':
      return { kind: 'text', choices: field.options };
    default:
      return { kind: 'text' };
  }
}
