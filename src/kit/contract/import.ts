import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, type Endpoint, endpoint } from './endpoint.ts';
import { because } from './fields.ts';
import { importBytes, longestImport, tooLargeMessage } from './import-limits.ts';
import { confirmToken, previewed } from './preview.ts';
import { servedFile, sheetKinds } from './served-file.ts';

/** The outcomes of a row in an import. */
const rowStatuses = ['added', 'changed', 'same', 'wrong'] as const;
export type RowStatus = (typeof rowStatuses)[number];

const input = {
  /** A table's rows as CSV, or a workbook (`workbookMark`). */
  file: z.string().check(z.refine((file) => file.length <= longestImport, because(tooLargeMessage))),
  /** The columns that the user has matched: the name of a column by a head of the file, or '' to leave it out. */
  columns: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(100))), {}),
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
});
export type ImportAnswer = z.infer<typeof importAnswer>;

/** The operations of an import, with any input that its page sends along. */
export type ImportApi<Hidden extends z.core.$ZodShape = NoMore, Allowed extends Access = Access> = {
  import: Endpoint<z.ZodMiniObject<Hidden & typeof importInput>, typeof importAnswer, Allowed, 'POST'>;
  importTemplate: Endpoint<z.ZodMiniObject<Hidden & typeof templateInput>, typeof servedFile, Allowed, 'GET'>;
  importErrors: Endpoint<z.ZodMiniObject<Hidden & typeof errorsInput>, typeof servedFile, Allowed, 'POST'>;
};

type NoMore = Record<never, never>;

interface Import<Hidden, Allowed> {
  path: string;
  access: Allowed;
  changes: readonly string[];
  /** What its page sends along, such as the year. */
  hidden?: Hidden;
}

/** Declares the operations of an import. */
export function importApi<const Allowed extends Access, Hidden extends z.core.$ZodShape = NoMore>({
  path,
  access,
  changes,
  hidden = {} as Hidden,
}: Import<Hidden, Allowed>): ImportApi<Hidden, Allowed> {
  // JSON writes a quotation mark or the end of a line as two characters.
  const table = { access, hasTable: true, mostBytes: importBytes * 2 };
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
