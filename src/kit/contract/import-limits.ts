import { text } from './text.ts';

/** The most rows of an imported file. */
export const mostImported = 20_000;
/** The most megabytes of an imported file, and its bytes. */
export const importMegabytes = 5;
export const importBytes = importMegabytes * 1024 * 1024;
export const tooLargeMessage = text`This file is larger than ${{ megabytes: importMegabytes }} MB. Split it into several files.`;

/** The most columns of an imported file, and the most characters of a heading. */
export const mostHeadings = 200;
export const longestHeading = 200;
/** The most characters of a cell. */
export const longestCell = 10_000;

/** The most bytes of an unpacked workbook. */
export const unpackedBytes = 10 * importBytes;
/** The message for a file of few bytes and many cells. */
export const tooMuchMessage = text`Too much data for one import. Import it in parts.`;

/** The rows that an answer lists: a page of a preview. */
export const mostPreviewed = 100;

/** Begins the text of a workbook (XLSX), whose bytes follow in base64; a CSV file is sent as it is. */
export const workbookMark = 'xlsx:';

/** The longest text that a file of an import becomes. */
export const longestImport = workbookMark.length + Math.ceil(importBytes / 3) * 4;

/** Ends the head of a column that must be filled in, in a template. An import ignores it. */
export const neededMark = '*';

/** The head over the reasons in a file of refused rows. An import leaves this column out. */
export const reasonsHead = text`Errors`;

/** The key of a corrected cell in a plan. */
export const editKey = (line: number, name: string): string => `${line} ${name}`;

/** The most distinct words of a field that are asked about, entries created and cells corrected in one import. */
export const mostWords = 200;
export const mostCreated = 50;
export const mostEdits = 400;
/** The most rows with an answer of their own; an answer for all rows of a kind counts once. */
export const mostAnswers = 1000;

/** Why a row of a file is passed over: above the headings, a total, the headings again, or one cell of a wide table. */
export const skipReasons = ['title', 'total', 'heading', 'single'] as const;
export type SkipReason = (typeof skipReasons)[number];
