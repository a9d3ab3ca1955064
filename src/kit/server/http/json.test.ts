import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1]));

test('F4 an object with more names than any form has is refused, however deep it stands', () => {
  const most = { answers: names(500) };
  expect(parseJson(JSON.stringify(most))).toEqual(most);
  for (const value of [names(501), { answers: names(501) }, { list: [names(501)] }])
    expect(() => parseJson(JSON.stringify(value))).toThrow('it has too many names');
});

const large = 1024 * 1024;

test.each([
  ['numbers', `{"a":[${'1,'.repeat(large)}1]}`],
  ['objects', `{"a":[${'{},'.repeat(large)}{}]}`],
  ['empty texts', `{"a":[${'"",'.repeat(large)}""]}`],
  ['names', JSON.stringify(names(100_000))],
  ['brackets that nothing closes', '['.repeat(large)],
  ['blanks', `{"a":${' '.repeat(large)}1}`],
  ['values behind texts with escapes', `{"a":"\\\\","b":"\\"","c":[${'1,'.repeat(large)}1]}`],
])('F4 W1 a large body that is anything but long texts is refused before it is parsed: %s', (_name, body) => {
  expect(() => parseJson(body)).toThrow('it holds too many values');
});

test.each([
  ['letters', 'a'.repeat(2 * large)],
  ['quotes', '"'.repeat(large)],
  ['backslashes', '\\'.repeat(large)],
  ['both', '\\"'.repeat(large)],
  ['line breaks and commas', 'a,b\r\n'.repeat(large / 2)],
])('a long text of %s is read as it is', (_name, file) => {
  expect(parseJson(JSON.stringify({ file, expected: 'x' }))).toEqual({ file, expected: 'x' });
});

test('a list of two thousand changes is read', () => {
  const change = { enrollmentId: 2_147_483_647, subjectId: 2_147_483_647, before: false, after: false };
  const body = { academicYearId: 1, changes: Array.from({ length: 2000 }, () => change) };
  expect(parseJson(JSON.stringify(body))).toEqual(body);
});
