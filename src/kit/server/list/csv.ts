// Where a program may begin a cell: at the start of a text, and after what some programs separate cells or rows by. Such a
// program may have read past the quotes, so a quote or a space before a formula does not make it text.
const formula = /^(?=[ "']*[=+\-@＝＋－＠\t\r])|(?<=[;|\t\r\n])(?=[ "']*[=+\-@＝＋－＠])/g;
const neutralised = /^'(?=[ "']*[=+\-@＝＋－＠\t\r])|(?<=[;|\t\r\n])'(?=[ "']*[=+\-@＝＋－＠])/g;

/** The text with an apostrophe wherever a spreadsheet could begin to calculate (E4). */
export const neutralise = (text: string): string => text.replaceAll(formula, "'");

/** The text that `neutralise` was given. */
export const restoreText = (cell: string): string => cell.replaceAll(neutralised, '');

const quote = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return `"${neutralise(text).replaceAll('"', '""')}"`;
};

/** Rows as comma-separated values, each cell in quotes, with a mark by which spreadsheets know UTF-8. */
export const csvOf = (heads: readonly string[], rows: readonly (readonly unknown[])[]): Buffer =>
  Buffer.from(`\uFEFF${[heads, ...rows].map((row) => row.map(quote).join(',')).join('\r\n')}\r\n`);
