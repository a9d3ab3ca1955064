import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { growthOf } from '#testing/growth.ts';
import { messagesOf } from '#testing/messages.ts';
import { readDay } from './day.ts';
import { birthDate, freeText, mobile, normalMobile, optionalFreeText } from './fields.ts';
import { calendarDay, wholeNumber } from './shell-fields.ts';
import { text } from './text.ts';
import { asDigits, cleanCode, cleanLine, cleanLines, sameText } from './typed.ts';

const name = z.object({ name: freeText(text`Name`, 50) });
const note = z.object({ note: optionalFreeText(text`Note`, 500) });

describe('a text of one line', () => {
  test.each([
    ['composed letters', 'Jose\u0301', 'Jos\u00e9'],
    ['one space between words', 'Maulik \u00a0 Kumar\u3000Patel', 'Maulik Kumar Patel'],
    ['no marks of direction', '\u202a\u2068Asha\u2069\u202c\u200f', 'Asha'],
    ['no zero-width spaces, soft hyphens and byte order marks', '\ufeffAs\u200bha\u00ad', 'Asha'],
    ['no control characters', 'As\u0007ha\u001b Shah', 'Asha Shah'],
    ['no line ends and tabs', 'Asha\r\nShah\tPatel', 'Asha Shah Patel'],
    ['no joiners between Latin letters', 'As\u200dha\u200c', 'Asha'],
    ['accents composed over a hidden mark', 'Jose\u200b\u0301', 'Jos\u00e9'],
  ])('F5 has %s', (_what, typed, stored) => {
    expect(name.parse({ name: typed })).toEqual({ name: stored });
    expect(cleanLine(stored)).toBe(stored);
  });

  test.each([
    ['a half letter of Hindi', 'क्\u200dष'],
    ['a Malayalam letter at the end of a word', 'അവന്\u200d'],
    ['a Persian prefix', 'می\u200cخواهم'],
    ['a family of emoji', '👩🏽\u200d👩🏽\u200d👧🏽'],
    ['a red heart', '❤\ufe0f'],
    ['a key of a telephone', '1\ufe0f\u20e3'],
    ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
    ['an address with its own digits', '૧૨, ગાંધી રોડ'],
  ])('F5 keeps %s', (_what, typed) => expect(name.parse({ name: typed })).toEqual({ name: typed }));

  test.each([
    '\u200b',
    '\u3164',
    '\u2800',
    '\u00ad\u2060',
    '\u034f',
    '\ufe0f',
    '\u{e0041}',
    '\u115f\u1160',
    '\ufffc',
    '\u200d\u200d',
  ])('F5 is empty where nothing is seen of it: %j', (typed) =>
    expect(messagesOf(name, { name: typed })).toEqual({ name: 'Name is required.' }),
  );
});

test('F5 a text of several lines keeps its lines', () => {
  expect(note.parse({ note: ' one  \r\n\u00a0 two\u200b\u2028three\n' })).toEqual({ note: 'one\n  two\nthree' });
  expect(cleanLines('a\tb')).toBe('a b');
});

describe('digits', () => {
  test.each(['૨૦૨૬', '२०२६', '٢٠٢٦', '۲۰۲۶', '２０２６', '২০২৬', '௨௦௨௬', '𝟚𝟘𝟚𝟞'])('%s are 2026', (typed) => {
    expect(asDigits(typed)).toBe('2026');
  });
  test('of every script are read in numbers, days and codes', () => {
    const fields = z.object({
      seats: wholeNumber(text`Seats`, { least: 1, most: 80 }),
      day: calendarDay(text`Day`),
      born: birthDate(text`Birth date`),
      code: freeText(text`Code`, 11, { like: /^[0-9]{3}$/ }),
    });
    expect(fields.parse({ seats: ' ૪૦\u200e', day: '૨૦૨૬-૦૬-૦૧', born: '२०१८-०१-३१', code: '१२३' })).toEqual({
      seats: 40,
      day: '2026-06-01',
      born: '2018-01-31',
      code: '123',
    });
  });
});

test.each([
  '૦૫/૦૩/૨૦૨૦',
  '05 / 03 / 2020',
  '2020/03/05',
  '2020.3.5',
  '5 Mar, 2020',
  '5  March  2020',
  '05 - Mar - 2020',
])('%j is the fifth of March', (typed) => expect(readDay(typed)).toEqual({ day: '05', month: '03', year: '2020' }));

test.each(['5 3', '03/2020', '5-3-20', '2020/03', '5,3,2020', '05032020'])('%j is no day', (typed) =>
  expect(readDay(typed)).toBeUndefined(),
);

describe('a mobile number', () => {
  const phone = z.object({ phone: mobile(text`Phone`) });
  test.each([
    '\u202a+91 55507 11170\u202c',
    '5550711170\u200e',
    '\u20665550711170\u2069',
    '55507\u200b11170',
    '\u20605550711170',
    '55507\u00ad11170',
    '00915550711170',
    '+91 05550711170',
    '+91 (0) 55507 11170',
    '(+91) 55507-11170',
    '0091 (555) 0711170',
    '૫૫૫૦૭૧૧૧૭૦',
    '५५५०७१११७०',
    '+૯૧ ૫૫૫૦૭ ૧૧૧૭૦',
    '５５５０７１１１７０',
    'tel:+915550711170',
    '\uff0b91\u00a055507\u00a011170',
  ])('B28 %j is 5550711170', (typed) => {
    expect(normalMobile(typed)).toBe('5550711170');
    expect(phone.parse({ phone: typed })).toEqual({ phone: '5550711170' });
  });
  test.each(['55507 1117', '5550711170 / 5550711171', '+1 5550711170', '915550711', '009155507111700'])(
    'B28 %s is refused',
    (typed) => expect(messagesOf(phone, { phone: typed })).toEqual({ phone: 'Phone is not valid.' }),
  );
});

test.each([
  [['José D’Souza', 'Jose\u0301 D’Souza', "José D'Souza", 'JOSÉ D’SOUZA']],
  [['Maulik Kumar Patel', 'Maulik  Kumar Patel', 'Maulik\u00a0Kumar Patel', 'maulik kumar patel\u200f']],
  [['મૌલિક પટેલ', 'મૌ\u200cલિક પટેલ']],
  [['\u0958मर शेख', 'क\u093cमर शेख']],
  [['Al-Amin', 'Al‑Amin', 'Al–Amin']],
])('texts that read the same are the same: %j', (texts) => {
  expect(new Set(texts.map(sameText)).size).toBe(1);
  expect(sameText('Maulik Patel')).not.toBe(sameText('Maulin Patel'));
});

test.each([
  ['in a row', (size: number) => '\u0301\u0323'.repeat(size / 2)],
  ['of one place after those of another', (size: number) => '\u0301'.repeat(size / 2) + '\u0323'.repeat(size / 2)],
  ['between marks that are not shown', (size: number) => '\u0301\u0323\u200b'.repeat(size / 3)],
  ['between joiners', (size: number) => '\u0301\u0323\u200d'.repeat(size / 3)],
])('W1 accents %s on one letter are read in linear time', async (_what, accents) => {
  for (const read of [cleanLine, cleanLines, cleanCode, sameText])
    expect(
      // Below 16,000, from where on a list lies in memory of its own and costs more for each of its items.
      await growthOf((size) => {
        const text = `a${accents(size)}`;
        return () => read(text);
      }, 15_000),
    ).toBeUndefined();
});

test('a letter keeps thirty accents', () => {
  const accents = '\u0301'.repeat(30);
  expect(cleanLine(`Q${accents}a`)).toBe(`Q${accents}a`);
  expect(cleanLine(`Q${accents}\u0301\u0323a`)).toBe(`Q${accents}a`);
});
