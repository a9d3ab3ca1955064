import * as z from 'zod/mini';

/** The output of an operation that answers with a file's bytes instead of JSON. */
export const servedFile = z.object({
  mediaType: z.string(),
  name: z.string(),
  bytes: z.custom<Uint8Array>((values) => values instanceof Uint8Array),
});

/** The formats of an exported table: for programs, for spreadsheets, and for paper. */
export const tableKinds = ['csv', 'xlsx', 'pdf'] as const;
export type TableKind = (typeof tableKinds)[number];

/** The formats of a table that can be imported. */
export const sheetKinds = ['csv', 'xlsx'] as const;
export type SheetKind = (typeof sheetKinds)[number];
