import { expect, test } from 'vitest';
import { growthOf } from '#testing/growth.ts';
import { differenceFrom, keepsTo } from './registered-text.ts';

const registered = 'Dear parent, fill in the form for {#var#} at Teak Tree School: {#url#} Help: {#cbn#}';
const text = (child = 'Aarohi', link = 'https://teak.example/a/Ab3dE6gH9k', phone = '0261 222 1100') =>
  `Dear parent, fill in the form for ${child} at Teak Tree School: ${link} Help: ${phone}`;

test('a text keeps to its registered one whatever its variables hold', () => {
  expect(keepsTo(registered, text())).toBe(true);
  expect(keepsTo(registered, text('આરોહી at School: x'))).toBe(true);
  expect(keepsTo('No variable.', 'No variable.')).toBe(true);
  expect(keepsTo('', '')).toBe(true);
});

test('everything else is equal letter for letter', () => {
  const wrong = ['dear parent', 'Dear  parent', 'Dear parent ', 'Dear Parent'];
  for (const start of wrong) expect(keepsTo(registered, text().replace('Dear parent', start))).toBe(false);
  expect(keepsTo(registered, `${text()}.`)).toBe(false);
  expect(keepsTo(registered, text().slice(1))).toBe(false);
  expect(keepsTo('School’s', "School's")).toBe(false);
  expect(keepsTo('{#date#}', '1 June')).toBe(false);
  expect(keepsTo('{#var', 'x')).toBe(false);
  expect(keepsTo('xxvarxx', 'y')).toBe(false);
});

test('a variable has 1 to 30 characters, a link up to 100, and two variables side by side add up', () => {
  const [thirty, more] = ['x'.repeat(30), 'x'.repeat(31)];
  expect(['', 'x', thirty, more].map((value) => keepsTo('a{#var#}b', `a${value}b`))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(keepsTo('{#var#}', 'ક'.repeat(30))).toBe(true);
  expect(keepsTo('{#var#}', '😀'.repeat(30))).toBe(true);
  expect([100, 101].map((length) => keepsTo('{#url#}', 'x'.repeat(length)))).toEqual([true, false]);
  expect([60, 61].map((length) => keepsTo('{#var#}{#var#}', 'x'.repeat(length)))).toEqual([true, false]);
});

test.each([
  ['numeric', '2026', '2026a'],
  ['number', '2026', '20 26'],
  ['alphanumeric', 'Aarohi 7 ક્ષ', 'Aarohi-7'],
  ['url', 'https://teak.example/a/Ab3?x=1#y', 'teak.example /a'],
  ['email', 'office+a@teak.example', 'office @teak.example'],
  ['cbn', '+91 261-222 1100', '0261 office'],
])('a variable tagged %s takes %s and not %s', (tag, right, wrong) => {
  expect(keepsTo(`<{#${tag}#}>`, `<${right}>`)).toBe(true);
  expect(keepsTo(`<{#${tag}#}>`, `<${wrong}>`)).toBe(false);
});

test('the difference begins after the last words that are equal', () => {
  expect(differenceFrom(registered, text())).toBeUndefined();
  expect(differenceFrom('Help: {#cbn#}', 'Help: call us')).toBe('call us');
  expect(differenceFrom('Dear parent, come.', 'Dear parents, come.')).toBe('s, come.');
  expect(differenceFrom('Come at once.', 'Come')).toBe('');
});

test('a long text that nearly fits is refused as fast as its length is read', async () => {
  const many = `${'{#var#}a'.repeat(100)}b`;
  const growth = await growthOf((size) => {
    const long = 'a'.repeat(size);
    return () => expect(keepsTo(many, long)).toBe(false);
  });
  expect(growth).toBeUndefined();
  expect(keepsTo(many, `${'a'.repeat(200)}b`)).toBe(true);
  expect(keepsTo('{#'.repeat(50_000), '{#'.repeat(50_000))).toBe(true);
});
