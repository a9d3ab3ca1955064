import { type Text, text } from './text.ts';

/** When a series begins at 1 again. */
export const resets = ['never', 'academicYear', 'financialYear'] as const;
export type Reset = (typeof resets)[number];

/** How the numbers of a series are made up, as `{prefix}/{FY}/{seq:5}`. */
export interface NumberForm {
  prefix: string;
  pattern: string;
  resetOn: Reset;
}

/** What the years are called that a document belongs to; the academic year is '' while a school has none. */
export interface YearNames {
  academicYear: string;
  financialYear: string;
}

/** The longest number a document has room for. */
export const longestNumber = 30;
/** The highest value a series reaches. */
export const highestValue = 9_999_999;
const longestYears: YearNames = { academicYear: '2026-2027', financialYear: '2026-27' };

const part = /\{(prefix|FY|AY|seq)(?:(?<=seq):([1-9]))?\}/g;
const partsOf = (pattern: string) => [...pattern.matchAll(part)].map(([, name]) => name);

/** The year within which a series counts; '' where it counts for ever. */
export const periodOf = (resetOn: Reset, years: YearNames) => (resetOn === 'never' ? '' : years[resetOn]);

/** Whether a number names the academic year, so that there must be one. */
export const namesAcademicYear = ({ pattern }: Pick<NumberForm, 'pattern'>) => partsOf(pattern).includes('AY');

/** A number as it reads. */
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

// The parts stand in braces, which a text takes for a value.
const [ay, fy, seq] = ['{AY}', '{FY}', '{seq}'];
const problems = {
  part: text`Use only ${{ parts: '{prefix}, {FY}, {AY} and {seq}' }}; ${{ seq }} can have 1 to 9 digits, as in ${{ example: '{seq:5}' }}.`,
  signs: text`Between the parts, use only letters, digits, spaces and / - . _`,
  seq: text`Use ${{ seq }} exactly once.`,
  academicYear: text`Add ${{ ay }}, or numbers would repeat each academic year.`,
  financialYear: text`Add ${{ fy }}, or numbers would repeat each financial year.`,
  long: text`A number could be longer than ${{ longestNumber }} characters. Shorten the pattern or prefix.`,
};

/** What is wrong with a pattern; undefined where nothing is. */
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

/** The financial year of a day (YYYY-MM-DD), as 2026-27, by the month it begins in; 2026 where that is January. */
export function financialYearOf(day: string, firstMonth: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const start = month < firstMonth ? year - 1 : year;
  return firstMonth === 1 ? String(start) : `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
}
