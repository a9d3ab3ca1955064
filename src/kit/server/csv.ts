/** A cell a spreadsheet shows and does not calculate: what begins like a formula gets an apostrophe before it (E4). */
const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  const plain = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** Rows as comma-separated values, with a mark by which spreadsheets know UTF-8. */
export const csvOf = (heads: readonly string[], rows: readonly (readonly unknown[])[]): Buffer =>
  Buffer.from(`\uFEFF${[heads, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`);
