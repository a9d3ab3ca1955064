import { expect, test } from 'vitest';
import { isLanguage, languageKeys, languages } from './languages.ts';

const parts = (language: string, options: Intl.DateTimeFormatOptions, days: readonly Date[]) => {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-US' : `${language}-IN`, {
    ...options,
    timeZone: 'UTC',
  });
  return days.map((day) => format.format(day).normalize());
};
const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15)));
// 1 June 2026 is a Monday.
const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 5, 1 + day)));
const normal = (words: readonly string[]) => words.map((word) => word.normalize());

test.each(languageKeys)('months and weekdays of %s are those that Unicode has', (language) => {
  const row = languages[language];
  expect(normal(row.months)).toEqual(parts(language, { month: 'long' }, months));
  expect(normal(row.shortMonths)).toEqual(parts(language, { month: 'short' }, months));
  expect(normal(row.weekdays)).toEqual(parts(language, { weekday: 'long' }, week));
});

test.each(languageKeys)('LG09 %s has the plural of Unicode for 0, 0.5, 1, 1.5, 2, 5 and 125000', (language) => {
  const rules = new Intl.PluralRules(language);
  const counts = [0, 0.5, 1, 1.5, 2, 5, 125_000];
  expect(counts.map(languages[language].plural)).toEqual(counts.map((count) => rules.select(count)));
});

test.each(languageKeys)(
  '%s is named in its own script, and joins the last two of a list as Unicode does',
  (language) => {
    const { name, and, script } = languages[language];
    expect(name).toMatch(script);
    const list = new Intl.ListFormat(language === 'en' ? 'en-GB' : language).format(['1', '2']);
    expect(list).toContain(` ${and} `);
  },
);

test('only the three are languages, whatever comes from outside', () => {
  expect(['en', 'gu', 'hi'].every(isLanguage)).toBe(true);
  for (const other of ['GU', 'gu-IN', 'xx', '', '__proto__', 'constructor', undefined, 3, ['gu'], 'g'.repeat(3000)])
    expect(isLanguage(other)).toBe(false);
});
