import { type Text, text } from './text.ts';

/** When a series starts at 1 again. */
export const resets = ['never', 'academicYear', 'financialYear'] as const;
export type Reset = (typeof resets)[number];

/** The parts of a series' numbers, such as `{prefix}/{FY}/{seq:5}`. */
export interface NumberForm {
  prefix: string;
  pattern: string;
  resetOn: Reset;
}

/** The names of the years a document belongs to; the academic year is '' while a school has none. */
export interface YearNames {
  academicYear: string;
  financialYear: string;
}

/** The longest number a document has room for. */
const longestNumber = 30;
/** The highest value a series reaches. */
export const highestValue = 9_999_999;
const longestYears: YearNames = { academicYear: '2026-2027', financialYear: '2026-27' };

const part = /\{(prefix|FY|AY|seq)(?:(?<=seq):([1-9]))?\}/g;
const partsOf = (pattern: string) => [...pattern.matchAll(part)].map(([, name]) => name);

/** The year within which a series counts; '' for a series that never restarts. */
export const periodOf = (resetOn: Reset, years: YearNames) => (resetOn === 'never' ? '' : years[resetOn]);

/** Whether a pattern has the academic year, so that one is required. */
export const namesAcademicYear = ({ pattern }: Pick<NumberForm, 'pattern'>) => partsOf(pattern).includes('AY');

/** Formats a number. */
export function formatNumber(
  { prefix, pattern }: Pick<NumberForm, 'prefix' | 'pattern'>,
  years: YearNames,
  value: number,
) {
  return pattern.replace(part, (_, name: string, digits: string | undefined) => {
    if (name === 'prefix') return prefix;
    if (name === 'FY') return years.financialYear;
    if (name === 'AY') return years.academicYear;
    return String(value).padStart(Number(digits ?? 1), '0');
  });
}

// Text in braces would be read as an ICU placeholder.
const [ay, fy, seq] = ['{AY}', '{FY}', '{seq}'];
/** Refuses a pattern without its number. */
export const oneCount = text`Use ${{ seq }} exactly once.`;
const problems = {
  part: text`Use only ${{ parts: '{prefix}, {FY}, {AY} and {seq}' }}; ${{ seq }} can have 1 to 9 digits, as in ${{ example: '{seq:5}' }}.`,
  signs: text`Between the parts, use only letters, digits, spaces and / - . _`,
  seq: oneCount,
  academicYear: text`Add ${{ part: ay }}, or numbers would repeat each year.`,
  financialYear: text`Add ${{ part: fy }}, or numbers would repeat each year.`,
  long: text`A number could be longer than ${{ longestNumber }} characters. Shorten the pattern or prefix.`,
};

/** The error of a pattern; undefined for a valid one. */
export function patternProblem(form: NumberForm): Text | undefined {
  const rest = form.pattern.replace(part, '');
  if (/[{}]/.test(rest)) return problems.part;
  if (!/^[A-Za-z0-9 /._-]*$/.test(rest)) return problems.signs;
  const parts = partsOf(form.pattern);
  if (parts.filter((name) => name === 'seq').length !== 1) return problems.seq;
  if (form.resetOn === 'academicYear' && !parts.includes('AY')) return problems.academicYear;
  if (form.resetOn === 'financialYear' && !parts.includes('FY')) return problems.financialYear;
  return formatNumber(form, longestYears, highestValue).length > longestNumber ? problems.long : undefined;
}

/** The financial year of a day (YYYY-MM-DD) by its first month, as 2026-27; as 2026 when it starts in January. */
export function financialYearOf(day: string, firstMonth: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const start = month < firstMonth ? year - 1 : year;
  return firstMonth === 1 ? String(start) : `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
}
