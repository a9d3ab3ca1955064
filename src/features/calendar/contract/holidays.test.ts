import { expect, test } from 'vitest';
import { states, usualHolidays } from './holidays.ts';

const year = { startsOn: '2026-06-01', endsOn: '2027-05-31' };

test('the holidays of a state lie in the year, in order, one a day, and each says whose it is', () => {
  for (const state of states) {
    const days = usualHolidays(year, state).map(({ day }) => day);
    expect(days).toEqual([...new Set(days)].sort());
    expect(days.every((day) => year.startsOn <= day && day <= year.endsOn)).toBe(true);
  }
  const named = new Map(usualHolidays(year, 'Gujarat').map(({ name, ...one }) => [name, one]));
  expect(named.get('Gujarat Day')).toEqual({ day: '2027-05-01', of: 'state' });
  expect(named.get('Republic Day')).toEqual({ day: '2027-01-26', of: 'nation' });
  expect(named.get('Diwali')).toEqual({ day: '2026-11-08', of: 'festival' });
});

test('a year without known dates of the moon has those that come every year', () => {
  const later = usualHolidays({ startsOn: '2035-04-01', endsOn: '2036-03-31' }, 'Delhi');
  expect(later.map(({ name }) => name)).toEqual([
    'Ambedkar Jayanti',
    'Independence Day',
    'Gandhi Jayanti',
    'Christmas',
    'Republic Day',
  ]);
});
