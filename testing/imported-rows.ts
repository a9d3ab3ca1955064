import { openFile } from '#kit/server/import/read-table.ts';

/** The rows of a table that a file holds. */
export const readFile = async (file: string) => (await openFile(file)).rows.map(({ line, cells }) => ({ line, cells }));
