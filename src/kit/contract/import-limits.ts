import { text } from './text.ts';

/** The most rows of an imported file. */
export const mostImported = 5000;
/** The most bytes of an imported file. */
export const importBytes = 2 * 1024 * 1024;

/** Begins the text of a workbook (XLSX), whose bytes follow in base64; a CSV file is sent as it is. */
export const workbookMark = 'xlsx:';

/** The longest text that a file of an import becomes. */
export const longestImport = workbookMark.length + Math.ceil(importBytes / 3) * 4;

/** The head over the reasons in a file of refused rows. An import leaves this column out. */
export const reasonsHead = text`Errors`;
