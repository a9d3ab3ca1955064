// Where a program may start a cell: at the start of a text, and after characters that some programs treat as
// separators. Such a program may ignore quotes, so a quote or a space before a formula does not make it text.
const formula = /^(?=[ "']*[=+\-@＝＋－＠\t\r])|(?<=[;|\t\r\n])(?=[ "']*[=+\-@＝＋－＠])/g;
const neutralised = /^'(?=[ "']*[=+\-@＝＋－＠\t\r])|(?<=[;|\t\r\n])'(?=[ "']*[=+\-@＝＋－＠])/g;

/** The text with an apostrophe wherever a spreadsheet could read a formula (E4). */
export const neutralise = (text: string): string => text.replaceAll(formula, "'");

/** Undoes `neutralise`. */
export const restoreText = (cell: string): string => cell.replaceAll(neutralised, '');

// A number below zero begins like a formula, and is none: a spreadsheet adds it up.
const number = /^-(?:0|[1-9]\d*)(?:\.\d+)?$/;

const quote = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return `"${(number.test(text) ? text : neutralise(text)).replaceAll('"', '""')}"`;
};

/** A row as comma-separated values, each cell in quotes. */
export const csvLine = (cells: readonly unknown[]): string => cells.map(quote).join(',');
