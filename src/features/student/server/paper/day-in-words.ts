import { ToWords } from 'to-words/en-IN';
import { numberInWords } from '#features/school/contract/number-words.ts';
import { showMonthName } from '#kit/contract/format.ts';
import type { Language } from '#kit/contract/languages.ts';

const speller = new ToWords();

/** A day as certificates spell it: "Twenty-ninth November Two Thousand Twenty" and "ઓગણત્રીસ નવેમ્બર બે હજાર વીસ". */
export function dayInWords(date: string, language: Language): string {
  const [year = 0, , day = 1] = date.split('-').map(Number);
  const month = showMonthName(date, language);
  if (language !== 'en') return `${numberInWords(day, language)} ${month} ${numberInWords(year, language)}`;
  const [first = '', ...more] = speller.toOrdinal(day).split(' ');
  return `${[first, ...more.map((word) => word.toLowerCase())].join('-')} ${month} ${speller.convert(year)}`;
}
