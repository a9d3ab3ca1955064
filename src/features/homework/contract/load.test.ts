import { expect, test } from 'vitest';
import { randomFrom } from '#kit/server/random.ts';
import { type Limit, type LoadItem, loadOf, minutesIn, overLimit, periodOf, spread } from './load.ts';

const july = (day: number) => `2026-07-${String(day).padStart(2, '0')}`;
/** Saturdays are worked, Sundays are not. */
const schoolDays = Array.from({ length: 31 }, (_, index) => july(index + 1)).filter(
  (day) => new Date(`${day}T00:00:00Z`).getUTCDay() !== 0,
);
const everyone = [1, 2, 3];
const item = (minutes: number, due: number, more: Partial<LoadItem> & { of?: number[] } = {}): LoadItem => ({
  kind: 'Written',
  minutes,
  assignedOn: july(1),
  children: (more.of ?? everyone).map((studentId) => ({ studentId, dueOn: july(due) })),
  ...more,
});
const perDay = (minutes: number): Limit => ({ minutes, per: 'day' });
const over = (items: LoadItem[], limit: Limit, days: string[], children = everyone) =>
  overLimit(loadOf(items, schoolDays), children, days, limit).map(({ period, minutes, children: count }) => [
    period,
    minutes,
    count,
  ]);

test('I2.1 the load of a day is that of the child with most, and equal to the limit is not over', () => {
  expect(over([item(50, 14), item(20, 14)], perDay(60), [july(14)])).toEqual([[july(14), 70, 3]]);
  expect(over([item(50, 14), item(10, 14)], perDay(60), [july(14)])).toEqual([]);
  expect(over([item(5, 14)], perDay(0), [july(14)])).toEqual([[july(14), 5, 3]]);
  // Two electives side by side.
  const electives = [item(60, 14), item(40, 14, { of: [1, 2] }), item(50, 14, { of: [3] })];
  expect(over(electives, perDay(120), [july(14)])).toEqual([]);
  expect(over([...electives, item(20, 14)], perDay(120), [july(14)])).toEqual([[july(14), 130, 1]]);
  // Chosen children.
  expect(over([item(60, 14, { of: [2] }), item(30, 14)], perDay(60), [july(14)])).toEqual([[july(14), 90, 1]]);
});

test('I2.2 the Preparatory stage counts weeks from Monday to Sunday', () => {
  const week: Limit = { minutes: 120, per: 'week' };
  const items = [item(30, 13), item(45, 15), item(45, 17)];
  expect(over(items, week, [july(13)])).toEqual([]);
  expect(over([...items, item(5, 18)], week, [july(18)])).toEqual([[july(13), 125, 3]]);
  expect(over([...items, item(5, 20)], week, [july(20)])).toEqual([]);
});

test('I2.3 a project is spread over the school days after it was given, each share rounded up', () => {
  const project = { kind: 'Project', minutes: 240, assignedOn: july(6) };
  const shares = spread(project, july(20), schoolDays);
  expect([shares.size, shares.get(july(7)), shares.get(july(12)), shares.get(july(20))]).toEqual([
    12,
    20,
    undefined,
    20,
  ]);
  expect(spread({ ...project, minutes: 250 }, july(20), schoolDays).get(july(7))).toBe(21);
  expect([...spread(project, july(6), schoolDays)]).toEqual([[july(6), 240]]);
  expect(over([item(240, 20, project), item(50, 14)], perDay(60), [july(14)])).toEqual([[july(14), 70, 3]]);
});

test('I2.4 more time of a child moves its minutes; random homework adds up as it does child by child', () => {
  const moved = item(40, 14);
  moved.children = [{ studentId: 1, dueOn: july(15) }, ...moved.children.slice(1)];
  const load = loadOf([moved], schoolDays);
  expect([load.get(1)?.get(july(14)), load.get(1)?.get(july(15)), load.get(2)?.get(july(14))]).toEqual([
    undefined,
    40,
    40,
  ]);

  const random = randomFrom(7);
  for (let round = 0; round < 200; round++) {
    const items = Array.from({ length: 1 + random.upTo(8) }, () =>
      item(5 + random.upTo(100), 2 + random.upTo(28), {
        kind: random.upTo(3) === 0 ? 'Project' : 'Written',
        assignedOn: july(1 + random.upTo(10)),
        of: everyone.filter(() => random.upTo(2) === 0),
      }),
    );
    const found = loadOf(items, schoolDays);
    const limit: Limit = random.upTo(1) === 0 ? perDay(60) : { minutes: 120, per: 'week' };
    for (const child of everyone)
      for (const day of schoolDays) {
        const period = periodOf(day, limit);
        const expected = items
          .filter(({ children }) => children.some(({ studentId }) => studentId === child))
          .flatMap((one) => [...spread(one, one.children[0]?.dueOn ?? '', schoolDays)])
          .filter(([date]) => periodOf(date, limit) === period)
          .reduce((sum, [, minutes]) => sum + minutes, 0);
        expect(minutesIn(found.get(child), period, limit)).toBe(expected);
      }
  }
});
