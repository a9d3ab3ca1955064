import { expect, test } from 'vitest';
import { messagesOf } from '#testing/messages.ts';
import { bandsOf, gradingScaleApi, scaleWords } from './grading-scale.ts';

const nine = bandsOf([
  { min: 91, grade: 'A1', points: 10 },
  { min: 81, grade: 'A2', points: 9 },
  { min: 71, grade: 'B1', points: 8 },
  { min: 61, grade: 'B2', points: 7 },
  { min: 51, grade: 'C1', points: 6 },
  { min: 41, grade: 'C2', points: 5 },
  { min: 33, grade: 'D', points: 4 },
  { min: 0, grade: 'E', points: null },
]);

// As CBSE prints them, both ends of each.
test.each([
  ['A1', 91, 100],
  ['A2', 81, 90],
  ['B1', 71, 80],
  ['B2', 61, 70],
  ['C1', 51, 60],
  ['C2', 41, 50],
  ['D', 33, 40],
  ['E', 0, 32],
])('%s is given from %i to %i', (grade, min, max) => {
  expect(nine.find((band) => band.grade === grade)).toMatchObject({ min, max });
});

test('every whole percent has exactly one band, in whatever order the lower ends are given', () => {
  const bands = bandsOf([0, 100, 40, 75].map((min) => ({ min, grade: `G${min}`, points: null })));
  expect(bands.map(({ min, max }) => [min, max])).toEqual([
    [100, 100],
    [75, 99],
    [40, 74],
    [0, 39],
  ]);
  for (let percent = 0; percent <= 100; percent++)
    expect(bands.filter(({ min, max }) => percent >= min && percent <= max)).toHaveLength(1);
  expect(scaleWords(bands)).toBe('G100 100, G75 75–99, G40 40–74, G0 0–39');
});

const errorsOf = (bands: unknown) => messagesOf(gradingScaleApi.create.input, { name: 'CBSE', bands });
const whole = [
  { min: '61', grade: 'A', points: '9.5' },
  { min: 0, grade: 'B' },
];

test('what is typed is read, and points may be left out', () => {
  expect(gradingScaleApi.create.input.parse({ name: ' CBSE ', bands: whole })).toEqual({
    name: 'CBSE',
    bands: [
      { min: 61, grade: 'A', points: 9.5 },
      { min: 0, grade: 'B', points: null },
    ],
  });
});

test.each<[string, object, object]>([
  ['no lower end', { min: '' }, { 'bands.0.min': 'From % is required.' }],
  ['a lower end above 100', { min: 101 }, { 'bands.0.min': 'Enter a whole number from 0 to 100.' }],
  ['half a percent', { min: '60.5' }, { 'bands.0.min': 'Enter a whole number from 0 to 100.' }],
  ['the lower end of another band', { min: '0' }, { 'bands.0.min': 'Already in use. Enter a different one.' }],
  ['no grade', { grade: ' ' }, { 'bands.0.grade': 'Grade is required.' }],
  ['a grade of six characters', { grade: 'Superb' }, { 'bands.0.grade': 'Use at most 5 characters.' }],
  ['the grade of another band', { grade: 'b' }, { 'bands.1.grade': 'Already in use. Enter a different one.' }],
  ['points above 10', { points: 10.1 }, { 'bands.0.points': 'Enter points from 0 to 10, with at most one decimal.' }],
  ['two decimals', { points: 9.55 }, { 'bands.0.points': 'Enter points from 0 to 10, with at most one decimal.' }],
  [
    'two typed decimals',
    { points: '9.55' },
    { 'bands.0.points': 'Enter points from 0 to 10, with at most one decimal.' },
  ],
  ['points below 0', { points: -1 }, { 'bands.0.points': 'Enter points from 0 to 10, with at most one decimal.' }],
])('a band with %s is refused beside its box', (_, over, expected) => {
  expect(errorsOf([{ ...whole[0], ...over }, whole[1]])).toEqual(expected);
});

test('all that is wrong with the bands is said at once', () => {
  expect(errorsOf([{ min: '', grade: 'A' }, { min: 50, grade: 'a', points: 'x' }, { min: 50 }])).toEqual({
    'bands.0.min': 'From % is required.',
    'bands.1.min': 'Already in use. Enter a different one.',
    'bands.1.grade': 'Already in use. Enter a different one.',
    'bands.1.points': 'Enter points from 0 to 10, with at most one decimal.',
    'bands.2.grade': 'Grade is required.',
  });
});

test.each([
  [
    'that does not begin at 0',
    [
      { min: 61, grade: 'A' },
      { min: 1, grade: 'B' },
    ],
    'bands.1.min',
  ],
  ['without bands', [], 'bands'],
  ['of 21 bands', Array.from({ length: 21 }, (_, min) => ({ min, grade: String(min) })), 'bands'],
  ['whose bands are no list', 'all', 'bands'],
])('a scale %s is refused', (_, bands, field) => {
  expect(Object.keys(errorsOf(bands))).toEqual([field]);
});
