// What people type, paste and upload, in one form: so that rules, searches and comparisons see what a reader sees.

/** Shows nothing: format marks, joiners, fillers, control characters, and the place of a picture in a copied text. */
const isHidden = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffc]|(?![\0\n\t])\p{Cc}/u;
/** Joins two letters that need it, as in Persian or in the emoji of a family; never Latin letters. */
const isJoined = /(?!\p{Script=Latin})[\p{L}\p{M}]|[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
/** The mark of a half letter, after which a joiner says how it is written, also at the end of a word. */
const isHalf = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;
const hasRareMarks = /[^\n\x20-\x7e]/;

/** Whether a hidden mark changes how the characters around it are shown. */
function isNeeded(mark: string, before: string, after: string): boolean {
  if (mark === '\u200c' || mark === '\u200d')
    return isHalf.test(before) || (isJoined.test(before) && isJoined.test(after));
  // The colour of an emoji, the form of an ideograph, the letters of a flag such as that of Wales.
  const isChooser = /[\ufe00-\ufe0f\u{e0020}-\u{e007f}]/u.test(mark);
  return (
    isChooser && (after === '\u20e3' || /[\p{Extended_Pictographic}\p{Script=Han}\u{e0020}-\u{e007f}]/u.test(before))
  );
}

/** More accents on one letter than any script has. Sorting them would cost the square of their number. */
const extraAccents = /(?<!\p{M})(\p{M}{30})\p{M}+/gu;

/** NFC, in linear time. */
const composed = (value: string): string => value.replace(extraAccents, '$1').normalize('NFC');

function withoutHidden(value: string): string {
  if (!hasRareMarks.test(value)) return value;
  const marks = [...composed(value)];
  const kept: string[] = [];
  for (const [place, mark] of marks.entries())
    if (!isHidden.test(mark) || isNeeded(mark, kept.at(-1) ?? '', marks[place + 1] ?? '')) kept.push(mark);
  return composed(kept.join(''));
}

/** A text of several lines: in NFC, without hidden marks and spaces at the ends of lines. CRLF is one character. */
export const cleanLines = (value: string): string =>
  withoutHidden(value.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'))
    .replace(/[^\S\n]|\u2800/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** A text of one line: as `cleanLines`, with one space between words. */
export const cleanLine = (value: string): string => cleanLines(value).replace(/\s+/g, ' ');

/** The digits of every script as 0 to 9: ૪, ४, ٤ and ４ are 4. Other text is unchanged. */
export const asDigits = (value: string): string => value.replace(/(?![0-9])\p{Nd}/gu, digitOf);

function digitOf(mark: string): string {
  // Unicode keeps the ten digits of a script in their order, and no digit before its zero.
  const code = mark.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

/** A number or code of one line: digits of every script as 0 to 9, letters and punctuation of full width as usual letters. */
export const cleanCode = (value: string): string =>
  asDigits(cleanLine(value).normalize('NFKC')).replace(/[\u2010-\u2015\u2212]/g, '-');

/** Equal for texts that read the same: in any case, with any digits, quotes and dashes, with or without joiners. */
export const sameText = (value: string): string =>
  composed(
    cleanCode(value)
      .replace(/[\u200c\u200d]/g, '')
      .replace(/[\u2018\u2019\u02bc\u2032\u00b4`]/g, "'")
      .replace(/[\u201c\u201d\u2033]/g, '"'),
  ).toLowerCase();
