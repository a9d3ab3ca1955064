import { expect, test } from 'vitest';
import { type CalendarDay, everyWeek, usualWeeklyOff } from './calendar.ts';
import { daysOfMonth, monthsOf, spansOf, workingDays } from './working-days.ts';

const secondAndFourth = { ...usualWeeklyOff, saturday: [2, 4] };
const year = { startsOn: '2026-06-01', endsOn: '2027-05-31', weeklyOff: usualWeeklyOff, days: [] as CalendarDay[] };
const set = (day: string, kind: CalendarDay['kind'], name: string, gradeId: number | null = null): CalendarDay => ({
  day,
  kind,
  name,
  gradeId,
});
const offOf = (month: string, calendar: typeof year) =>
  daysOfMonth(month, calendar)
    .filter(({ kind }) => kind === 'Weekly off')
    .map(({ day }) => Number(day.slice(8)));

// From a printed calendar, month by month; August 2026 and May 2027 begin on a Saturday.
const saturdays = {
  '2026-06': [13, 27],
  '2026-07': [11, 25],
  '2026-08': [8, 22],
  '2026-09': [12, 26],
  '2026-10': [10, 24],
  '2026-11': [14, 28],
  '2026-12': [12, 26],
  '2027-01': [9, 23],
  '2027-02': [13, 27],
  '2027-03': [13, 27],
  '2027-04': [10, 24],
  '2027-05': [8, 22],
};

test('K1.3 the second and fourth Saturdays of every month of a year are off, and no other day', () => {
  const weeklyOff = { ...secondAndFourth, sunday: [] };
  expect(monthsOf(year)).toEqual(Object.keys(saturdays));
  for (const [month, days] of Object.entries(saturdays))
    expect([month, offOf(month, { ...year, weeklyOff })]).toEqual([month, days]);
});

test.each([
  ['every Sunday', '2026-08', usualWeeklyOff, [2, 9, 16, 23, 30]],
  ['a fifth Saturday', '2026-08', { ...usualWeeklyOff, sunday: [], saturday: [5] }, [29]],
  ['a fifth Saturday where there is none', '2026-09', { ...usualWeeklyOff, sunday: [], saturday: [5] }, []],
  ['the first Monday, on the first', '2026-06', { ...usualWeeklyOff, sunday: [], monday: [1] }, [1]],
  [
    'Fridays and Saturdays',
    '2027-01',
    { ...usualWeeklyOff, sunday: [], friday: everyWeek, saturday: [1] },
    [1, 2, 8, 15, 22, 29],
  ],
])('%s is off in %s', (_, month, weeklyOff, days) => {
  expect(offOf(month, { ...year, weeklyOff })).toEqual(days);
});

test('a February has 29 days in a leap year and 28 in any other', () => {
  const leap = { ...year, startsOn: '2027-06-01', endsOn: '2028-05-31', weeklyOff: secondAndFourth };
  const days = daysOfMonth('2028-02', leap);
  expect(days.at(-1)).toEqual({ day: '2028-02-29', kind: 'Working day', name: '', work: 1 });
  expect(offOf('2028-02', leap)).toEqual([6, 12, 13, 20, 26, 27]);
  expect(workingDays(days)).toBe(23);
  expect(daysOfMonth('2027-02', year)).toHaveLength(28);
});

test('an entry replaces the weekday’s kind, and half days count as half', () => {
  const days = [
    set('2026-10-02', 'Holiday', 'Gandhi Jayanti'),
    set('2026-10-05', 'Half day', 'Sports day'),
    set('2026-10-06', 'Half day', 'Sports day'),
    set('2026-10-07', 'Half day', 'Prize giving'),
    set('2026-10-08', 'Exam day', 'Half-yearly exam'),
    set('2026-10-10', 'Working day', 'In place of 12 October'),
    set('2026-10-12', 'Vacation', 'Autumn break'),
  ];
  const month = daysOfMonth('2026-10', { ...year, weeklyOff: secondAndFourth, days });
  const told = Object.fromEntries(month.map(({ day, kind, name, work }) => [Number(day.slice(8)), [kind, name, work]]));
  expect(told).toMatchObject({
    1: ['Working day', '', 1],
    2: ['Holiday', 'Gandhi Jayanti', 0],
    4: ['Weekly off', '', 0],
    5: ['Half day', 'Sports day', 0.5],
    8: ['Exam day', 'Half-yearly exam', 1],
    10: ['Working day', 'In place of 12 October', 1],
    12: ['Vacation', 'Autumn break', 0],
    24: ['Weekly off', '', 0],
  });
  // 31 days without 4 Sundays, the fourth Saturday, the holiday and the vacation, and minus three half days.
  expect(workingDays(month)).toBe(22.5);
});

test('what was set for a grade goes before what was set for the whole school, and touches no other grade', () => {
  const days = [
    set('2027-03-22', 'Holiday', 'Dhuleti'),
    set('2027-03-22', 'Exam day', 'Board exam', 10),
    set('2027-03-23', 'Exam day', 'Board exam', 10),
    set('2027-03-24', 'Half day', 'Parents’ meeting'),
  ];
  const kinds = (gradeId: number | null) =>
    daysOfMonth('2027-03', { ...year, days }, gradeId)
      .slice(21, 24)
      .map(({ kind }) => kind);
  expect(kinds(10)).toEqual(['Exam day', 'Exam day', 'Half day']);
  for (const other of [null, 9]) expect(kinds(other)).toEqual(['Holiday', 'Working day', 'Half day']);
});

test('days outside the academic year are none of its days', () => {
  const short = { ...year, startsOn: '2026-06-15', endsOn: '2027-04-10' };
  expect(daysOfMonth('2026-06', short)[0]?.day).toBe('2026-06-15');
  expect(daysOfMonth('2027-04', short).at(-1)?.day).toBe('2027-04-10');
  expect(daysOfMonth('2026-05', short)).toEqual([]);
  expect(monthsOf(short)).toHaveLength(11);
});

test('consecutive equal days are one span, also across a weekly off, and never across another entry', () => {
  const exam = (day: string, gradeId: number | null = null) => set(day, 'Exam day', 'Exam', gradeId);
  const days = [
    exam('2026-10-09'),
    exam('2026-10-12'),
    exam('2026-10-13', 3),
    exam('2026-10-13'),
    exam('2026-10-15'),
    set('2026-10-16', 'Holiday', 'Exam'),
    exam('2026-10-17'),
  ];
  const told = spansOf(days, secondAndFourth).map(({ from, to, kind, gradeId }) => [from, to, kind, gradeId]);
  expect(told).toEqual([
    ['2026-10-09', '2026-10-13', 'Exam day', null],
    ['2026-10-13', '2026-10-13', 'Exam day', 3],
    ['2026-10-15', '2026-10-15', 'Exam day', null],
    ['2026-10-16', '2026-10-16', 'Holiday', null],
    ['2026-10-17', '2026-10-17', 'Exam day', null],
  ]);
});
