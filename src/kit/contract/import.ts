import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, type Endpoint, endpoint, type TableColumns } from './endpoint.ts';
import { because } from './fields.ts';
import { importBytes, longestHeading, longestImport, mostHeadings, tooLargeMessage } from './import-limits.ts';
import { confirmToken, previewed } from './preview.ts';
import { servedFile, sheetKinds } from './served-file.ts';

/** The outcomes of a row in an import. */
const rowStatuses = ['added', 'changed', 'same', 'wrong'] as const;
export type RowStatus = (typeof rowStatuses)[number];

/** The columns that the user has matched: the name of a column by a head of the file, or '' to leave it out. */
export const matchedColumns = z
  .record(z.string().check(z.maxLength(longestHeading)), z.string().check(z.maxLength(longestHeading)))
  .check(z.refine((matched) => Object.keys(matched).length <= mostHeadings));

const input = {
  /** A table's rows as CSV, or a workbook (`workbookMark`). */
  file: z.string().check(z.refine((file) => file.length <= longestImport, because(tooLargeMessage))),
  columns: z._default(matchedColumns, {}),
};
const importInput = { ...input, confirmToken };
const errorsInput = { ...input, as: z.enum(sheetKinds) };
const templateInput = { as: z.enum(sheetKinds) };

/** The outcome of one row of a file. */
const importRow = z.object({
  line: z.number(),
  displayName: z.string(),
  status: z.enum(rowStatuses),
  messages: z.record(z.string(), anyText),
});
export type ImportRow = z.infer<typeof importRow>;

/** The outcomes of a file: how many rows have each, and those of the rows most in need of a look. */
export const importAnswer = previewed({
  rows: z.array(importRow),
  counts: z.object({ added: z.number(), changed: z.number(), same: z.number(), wrong: z.number() }),
  /** The run that imports the rows, where they are imported in the background. */
  runId: z.optional(z.number()),
});
export type ImportAnswer = z.infer<typeof importAnswer>;

/** The operations of an import, with any input that its page sends along. */
export type ImportApi<Hidden extends z.core.$ZodShape = NoMore, Allowed extends Access = Access> = {
  import: Endpoint<z.ZodMiniObject<Hidden & typeof importInput>, typeof importAnswer, Allowed, 'POST'>;
  importTemplate: Endpoint<z.ZodMiniObject<Hidden & typeof templateInput>, typeof servedFile, Allowed, 'GET'>;
  importErrors: Endpoint<z.ZodMiniObject<Hidden & typeof errorsInput>, typeof servedFile, Allowed, 'POST'>;
};

type NoMore = Record<never, never>;

interface Import<Hidden, Allowed> extends TableColumns {
  path: string;
  access: Allowed;
  changes: readonly string[];
  /** What its page sends along, such as the year. */
  hidden?: Hidden;
}

/** The names of the columns, without the other properties of their fields. */
const namesOf = (columns: TableColumns['columns']): TableColumns['columns'] =>
  Object.fromEntries(Object.entries(columns).map(([name, { label, alsoNamed = [] }]) => [name, { label, alsoNamed }]));

/** Declares the operations of an import. */
export function importApi<const Allowed extends Access, Hidden extends z.core.$ZodShape = NoMore>({
  path,
  access,
  changes,
  hidden = {} as Hidden,
  columns,
  needed,
}: Import<Hidden, Allowed>): ImportApi<Hidden, Allowed> {
  // JSON writes a quotation mark or the end of a line as two characters.
  const table = { access, table: { columns: namesOf(columns), needed }, mostBytes: importBytes * 2 };
  return {
    /** Previews each row of a file, and imports the rows after confirmation. */
    import: endpoint({
      ...table,
      method: 'POST',
      path,
      changes,
      input: z.object({ ...hidden, ...importInput }),
      output: importAnswer,
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
      ...table,
      method: 'POST',
      path: `${path}/errors`,
      changes: [],
      isRepeatable: true,
      input: z.object({ ...hidden, ...errorsInput }),
      output: servedFile,
    }),
  };
}
