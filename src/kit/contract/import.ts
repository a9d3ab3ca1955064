import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, type Endpoint, endpoint, type TableColumns } from './endpoint.ts';
import { because, id } from './fields.ts';
import { importBytes, longestImport, skipReasons, tooLargeMessage } from './import-limits.ts';
import { columnPlan, dayOrders, importPlan } from './import-plan.ts';
import { confirmToken, previewed } from './preview.ts';
import { servedFile, sheetKinds } from './served-file.ts';
import type { Text } from './text.ts';

/** The outcomes of a row in an import. */
const rowStatuses = ['added', 'changed', 'same', 'wrong'] as const;
export type RowStatus = (typeof rowStatuses)[number];

const input = {
  /** A table's rows as CSV, or a workbook (`workbookMark`). */
  file: z.string().check(z.refine((file) => file.length <= longestImport, because(tooLargeMessage))),
  /** The user's answers; without them every heading must be that of a column. */
  plan: z.optional(importPlan),
};
/** Which rows of a preview are shown. */
const shown = z._default(
  z.object({
    status: z._default(z.enum(['', ...rowStatuses]), ''),
    cause: z._default(z.string().check(z.maxLength(300)), ''),
    page: z._default(z.number().check(z.int(), z.gte(0), z.lte(400)), 0),
  }),
  { status: '', cause: '', page: 0 },
);
const importInput = { ...input, shown, confirmToken };
const openInput = input;
const errorsInput = { ...input, as: z.enum(sheetKinds) };
const templateInput = { as: z.enum(sheetKinds) };

const choice = z.object({ key: z.string(), label: anyText });

/** What only the user knows of a row, such as whether it is about a child who is there already. */
const rowQuestion = z.object({
  /** Rows of one kind can be answered alike. */
  kind: z.string(),
  text: anyText,
  /** The field that the refusal of an unanswered row stands at. */
  field: z.string(),
  choices: z.array(choice),
  answer: z.optional(z.string()),
});
export type RowQuestion = z.infer<typeof rowQuestion>;

/** The outcome of one row of a file. */
const importRow = z.object({
  line: z.number(),
  displayName: z.string(),
  status: z.enum(rowStatuses),
  messages: z.record(z.string(), anyText),
  question: z.optional(rowQuestion),
  /** By field: the value as it will be stored, or of a refused row the cell as it is read. */
  cellsAsStored: z.optional(z.record(z.string(), z.string())),
});
export type ImportRow = z.infer<typeof importRow>;

/** The outcomes of a file: how many rows have each, and the rows of the page that is shown. */
export const importAnswer = previewed({
  rows: z.array(importRow),
  counts: z.object({ added: z.number(), changed: z.number(), same: z.number(), wrong: z.number() }),
  /** The reasons of refusals, most frequent first: the field, '' for the whole row, and one of its messages. */
  causes: z.optional(z.array(z.object({ key: z.string(), field: z.string(), message: anyText, count: z.number() }))),
  /** The kinds of questions that rows have: how many rows, how many of them without an answer, and all choices. */
  questions: z.optional(
    z.array(z.object({ kind: z.string(), count: z.number(), open: z.number(), choices: z.array(choice) })),
  ),
  /** The fields whose cells the import does not change in some rows: how many, and what changes them instead. */
  kept: z.optional(z.array(z.object({ field: z.string(), message: anyText, count: z.number() }))),
  /** The number of rows that fit `shown`. */
  found: z.optional(z.number()),
  /** The run that imports the rows, where they are imported in the background. */
  runId: z.optional(z.number()),
  /** The import, for undoing it. */
  importId: z.optional(z.number()),
});
export type ImportAnswer = z.infer<typeof importAnswer>;

/** What the user decides on before a preview. */
const importStage = z.object({
  /** The sheets with rows; '' is that of a CSV file. */
  sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean(), rows: z.number() })),
  sheet: z.string(),
  headLine: z.number(),
  /** The first rows of the sheet, each cell shortened. */
  first: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
  /** The rows to be imported, and those that are passed over. */
  rows: z.number(),
  skipped: z.array(z.object({ line: z.number(), cells: z.string(), why: z.enum(skipReasons) })),
  columns: z.array(z.object({ head: z.string(), samples: z.array(z.string()), plan: z.nullable(columnPlan) })),
  /** The words that fit nothing, by field. */
  words: z.array(
    z.object({
      field: z.string(),
      words: z.array(
        z.object({
          word: z.string(),
          count: z.number(),
          proposal: z.nullable(z.string()),
          /** Proposed by a number or by letters: the user takes it, or chooses otherwise. */
          isGuess: z.optional(z.boolean()),
        }),
      ),
      choices: z.array(z.string()),
      mayCreate: z.boolean(),
      /** There are more words than can be asked about. */
      hasMore: z.boolean(),
    }),
  ),
  dates: z.array(
    z.object({ field: z.string(), example: z.string(), proposal: z.nullable(z.enum(dayOrders)), isMixed: z.boolean() }),
  ),
  /** The choices of fields that can be the same for all rows. */
  choices: z.record(z.string(), z.array(z.string())),
  /** Proposed values of fields that the file lacks, the same for all rows. */
  same: z.optional(z.record(z.string(), z.string())),
});
export type ImportStage = z.infer<typeof importStage>;

/** An import that was applied. */
const importEntry = z.object({
  id: z.number(),
  fileName: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  counts: z.object({ added: z.number(), changed: z.number(), left: z.number() }),
  /** The columns as they were matched: heading and field. */
  columns: z.array(z.object({ head: z.string(), field: z.string() })),
  mayUndo: z.boolean(),
  isUndone: z.boolean(),
  /** The run that imported the rows, and the one that undoes it. */
  run: z.nullable(z.number()),
  undoRun: z.nullable(z.number()),
});
export type ImportEntry = z.infer<typeof importEntry>;
const importList = z.array(importEntry);

const undoInput = { importId: id, confirmToken };
const undoAnswer = previewed({
  /** Records that are deleted, and records that get back what the file changed. */
  added: z.number(),
  changed: z.number(),
  /** Records that have changed since or are used. */
  kept: z.array(z.string()),
  /** Records for which the import did more than an undo covers. */
  beyond: z.optional(z.array(z.string())),
  undoRun: z.optional(z.number()),
});
export type UndoAnswer = z.infer<typeof undoAnswer>;

/** The operations of an import, with any input that its page sends along. */
export type ImportApi<Hidden extends z.core.$ZodShape = NoMore, Allowed extends Access = Access> = {
  import: Endpoint<z.ZodMiniObject<Hidden & typeof importInput>, typeof importAnswer, Allowed, 'POST'>;
  importOpen: Endpoint<z.ZodMiniObject<Hidden & typeof openInput>, typeof importStage, Allowed, 'POST'>;
  importTemplate: Endpoint<z.ZodMiniObject<Hidden & typeof templateInput>, typeof servedFile, Allowed, 'GET'>;
  importErrors: Endpoint<z.ZodMiniObject<Hidden & typeof errorsInput>, typeof servedFile, Allowed, 'POST'>;
  imports: Endpoint<z.ZodMiniObject<Hidden>, typeof importList, Allowed, 'GET'>;
  importUndo: Endpoint<z.ZodMiniObject<Hidden & typeof undoInput>, typeof undoAnswer, Allowed, 'POST'>;
};

type NoMore = Record<never, never>;

interface Import<Hidden, Allowed> extends Omit<TableColumns, 'columns'> {
  path: string;
  access: Allowed;
  changes: readonly string[];
  columns: Readonly<Record<string, { label: Text; alsoNamed?: readonly string[]; kind?: string }>>;
  /** What its page sends along, such as the year. */
  hidden?: Hidden;
}

/** The names and kinds of the columns, without the other properties of their fields. */
const namesOf = (columns: TableColumns['columns']): TableColumns['columns'] =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { label, alsoNamed = [], kind = 'yesNo' }]) => [
      name,
      { label, alsoNamed, kind },
    ]),
  );

/** Declares the operations of an import. */
export function importApi<const Allowed extends Access, Hidden extends z.core.$ZodShape = NoMore>({
  path,
  access,
  changes,
  hidden = {} as Hidden,
  columns,
  needed,
  whole,
  pair,
}: Import<Hidden, Allowed>): ImportApi<Hidden, Allowed> {
  const known = { columns: namesOf(columns), needed, ...(whole && { whole }), ...(pair && { pair }) };
  // JSON writes a quotation mark or the end of a line as two characters.
  const mostBytes = importBytes * 2;
  return {
    /** Previews each row of a file, and imports the rows after confirmation. */
    import: endpoint({
      access,
      table: known,
      mostBytes,
      method: 'POST',
      path,
      changes: [...changes, 'import'],
      input: z.object({ ...hidden, ...importInput }),
      output: importAnswer,
    }),
    /** What the user decides on: sheet, headings, columns, words and dates. */
    importOpen: endpoint({
      access,
      table: { ...known, reads: 'stage' },
      mostBytes,
      method: 'POST',
      path: `${path}/open`,
      changes: [],
      isRepeatable: true,
      input: z.object({ ...hidden, ...openInput }),
      output: importStage,
    }),
    /** The empty table, to be filled in. */
    importTemplate: endpoint({
      method: 'GET',
      path: `${path}/template`,
      access,
      input: z.object({ ...hidden, ...templateInput }),
      output: servedFile,
    }),
    /** The rows of a file that a preview refuses, with their reasons. */
    importErrors: endpoint({
      access,
      table: { ...known, reads: 'own' },
      mostBytes,
      method: 'POST',
      path: `${path}/errors`,
      changes: [],
      isRepeatable: true,
      input: z.object({ ...hidden, ...errorsInput }),
      output: servedFile,
    }),
    /** The last imports, newest first. */
    imports: endpoint({
      method: 'GET',
      path,
      access,
      shows: ['import', 'run'],
      input: z.object(hidden),
      output: importList,
    }),
    /** Undoes an import of one's own, wholly or not at all; an Admin also those of others. */
    importUndo: endpoint({
      method: 'POST',
      path: `${path}/undo`,
      access,
      changes: [...changes, 'import'],
      input: z.object({ ...hidden, ...undoInput }),
      output: undoAnswer,
    }),
  };
}
