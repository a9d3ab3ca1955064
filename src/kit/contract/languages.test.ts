import { expect, test } from 'vitest';
import { dateMonths, isLanguage, languageKeys, languages } from './languages.ts';
import { otherMonths } from './months.ts';

const parts = (language: string, options: Intl.DateTimeFormatOptions, days: readonly Date[]) => {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-US' : `${language}-IN`, {
    ...options,
    timeZone: 'UTC',
  });
  return days.map((day) => format.format(day).normalize());
};
const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15)));
const normal = (words: readonly string[]) => words.map((word) => word.normalize());

test.each(languageKeys)('the months of dates of %s are those that Unicode has', (language) => {
  const month = language === 'en' ? 'short' : 'long';
  expect(normal({ ...dateMonths, ...otherMonths }[language] ?? [])).toEqual(parts(language, { month }, months));
});

test.each(languageKeys)('LG09 %s has the plural of Unicode for 0, 0.5, 1, 1.5, 2, 5 and 125000', (language) => {
  const rules = new Intl.PluralRules(language);
  const counts = [0, 0.5, 1, 1.5, 2, 5, 125_000];
  expect(counts.map(languages[language].plural)).toEqual(counts.map((count) => rules.select(count)));
});

test.each([
  ['gu', /^\p{Script=Gujarati}+$/u],
  ['hi', /^\p{Script=Devanagari}+$/u],
] as const)('%s is named in its own script', (language, script) => {
  expect(languages[language].name).toMatch(script);
});

test('only the three are languages, whatever comes from outside', () => {
  expect(['en', 'gu', 'hi'].every(isLanguage)).toBe(true);
  for (const other of ['GU', 'gu-IN', 'xx', '', '__proto__', 'constructor', undefined, 3, ['gu'], 'g'.repeat(3000)])
    expect(isLanguage(other)).toBe(false);
});
