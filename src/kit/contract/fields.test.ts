import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { messagesOf } from '#testing/messages.ts';
import { freeText, id, isRealDate, mobile, normalMobile, rule, tick, yesNo } from './fields.ts';
import { text } from './text.ts';

test('B28 ten digits stay ten digits, however they are dressed', () => {
  const digits = fc.stringMatching(/^[0-9]{10}$/);
  const dress = fc.constantFrom('', '+91', '+91 ', '91', '0', '+91-');
  const gap = fc.constantFrom('', ' ', '-', '.', ') ');
  fc.assert(
    fc.property(digits, dress, gap, fc.integer({ min: 1, max: 9 }), (number, prefix, between, place) => {
      const typed = `${prefix}${number.slice(0, place)}${between}${number.slice(place)}`;
      expect(normalMobile(typed)).toBe(number);
    }),
  );
});

test('F6 a date is real exactly when the calendar has it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1000, max: 2999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const written = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const date = new Date(`${written}T00:00:00Z`);
        const isThere = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written);
        expect(isRealDate(written)).toBe(isThere);
      },
    ),
  );
});

const line = z.object({ name: freeText(text`Name`, 5) });

describe('text', () => {
  test('F1 counts code points, so that a family of emoji or Gujarati costs what a reader sees of it', () => {
    expect(messagesOf(line, { name: '👧🏽👧🏽a' })).toEqual({});
    expect(messagesOf(line, { name: 'abcdef' })).toEqual({ name: 'Use at most 5 characters.' });
  });
  test.each([
    ['a list', ['a']],
    ['an object', { a: 1 }],
    ['a number', 5],
    ['a boolean', true],
  ])('F6 is not %s', (_what, name) => {
    expect(messagesOf(line, { name })).toEqual({ name: 'This is not valid.' });
  });
  test.each([
    ['NUL', 'a\u0000'],
    ['half a surrogate pair', 'a\ud83d'],
    ['the other half', '\udc67'],
  ])('F5 refuses %s, which cannot be stored', (_what, name) => {
    expect(messagesOf(line, { name })).toEqual({
      name: 'This contains a character that can’t be stored. Type it again.',
    });
  });
  test('F5 keeps what it can store exactly', () => {
    const value = z.object({ name: freeText(text`Name`, 50) });
    for (const name of ['שלום', 'क\u094dषत्रिय', '👧🏽', 'x\u0301', 'Ünal'])
      expect(value.parse({ name })).toEqual({ name });
  });
});

test('yes and no are read alike from JSON and from multipart, and nothing is no answer', () => {
  const question = z.object({ answer: yesNo(text`Ready?`) });
  for (const yes of [true, 'true']) expect(question.parse({ answer: yes })).toEqual({ answer: true });
  for (const no of [false, 'false']) expect(question.parse({ answer: no })).toEqual({ answer: false });
  for (const nothing of ['', null, undefined])
    expect(messagesOf(question, { answer: nothing })).toEqual({ answer: 'Answer this question.' });
  for (const odd of ['yes', 1, []])
    expect(messagesOf(question, { answer: odd })).toEqual({ answer: 'This is not valid.' });
  expect(z.object({ box: tick(text`Box`) }).parse({})).toEqual({ box: false });
});

test.each([
  0,
  -1,
  1.5,
  2_147_483_648,
  2 ** 53 + 1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '1e3',
  '0x10',
  ' 1',
  null,
  [1],
])('F6 %s is no row number', (values) => expect(z.safeParse(id, values).success).toBe(false));

describe('a rule across fields', () => {
  const both = z
    .object({
      name: freeText(text`Name`, 5),
      phone: mobile(text`Phone`),
      rows: z.optional(z.array(z.object({ day: freeText(text`Day`, 5), note: freeText(text`Note`, 5) }))),
    })
    .check(
      rule(({ name, phone, rows }, say) => {
        met.push({ name, phone, rows });
        if (name === 'Asha') say('phone', text`Call first.`);
      }),
    );
  let met: object[] = [];
  beforeEach(() => {
    met = [];
  });

  test('speaks also when other fields are refused', () => {
    expect(messagesOf(both, { name: 'Asha', phone: 'x' })).toEqual({ phone: 'Phone is not valid.' });
    expect(messagesOf(both, { name: 'Asha', phone: '9825012345', rows: 'x' })).toMatchObject({ phone: 'Call first.' });
  });
  test.each([
    ['too long', 'abcdef'],
    ['empty', ''],
    ['an object that is no text', { toString: null }],
    ['half a surrogate pair', '\ud83d'],
  ])('W19 meets undefined where a field is refused, because it is %s', (_what, name) => {
    both.safeParse({ name, phone: '9825012345' });
    expect(met).toEqual([{ name: undefined, phone: '9825012345', rows: undefined }]);
  });
  test('W19 meets what is accepted of a list whose other parts are refused, and what was given stays as it was', () => {
    const input = { name: 'Asha', phone: '9825012345', rows: [{ day: 'Mon', note: 'abcdef' }, 7] };
    const before = structuredClone(input);
    both.safeParse(input);
    expect(met).toEqual([{ name: 'Asha', phone: '9825012345', rows: [{ day: 'Mon', note: undefined }, undefined] }]);
    expect(input).toEqual(before);
  });
  test.each([null, 7, 'text', [[]], undefined])('W19 does not run where %s is no object at all', (values) => {
    expect(both.safeParse(values).success).toBe(false);
    expect(met).toEqual([]);
  });
});

test('W1 a text that is too long is not compared with the shape it must have', () => {
  const compared: string[] = [];
  const like = /x/;
  like.test = (value: string) => compared.push(value) > 0;
  const line = z.object({ name: freeText(text`Name`, 5, { like }) });
  expect(messagesOf(line, { name: 'abcdef' })).toEqual({ name: 'Use at most 5 characters.' });
  expect(compared).toEqual([]);
  line.parse({ name: 'abc' });
  expect(compared).toEqual(['abc']);
});
