import { expect, test } from 'vitest';
import {
  type ClockFacts,
  type DayHours,
  dueAt,
  minuteOf,
  momentOf,
  openHours,
  sameTimeOn,
  shareOf,
  worked,
} from './clock.ts';

const day = (opens: number, closes: number, halfDayCloses = closes, breaks: DayHours['breaks'] = []): DayHours => ({
  opens: opens * 60,
  closes: closes * 60,
  halfDayCloses: halfDayCloses * 60,
  breaks,
});
const week = (weekday: DayHours, saturday: DayHours) => [...Array<DayHours>(5).fill(weekday), saturday, null];
const lunch = [{ from: 13 * 60, to: 13 * 60 + 45 }];

/** Mon-Sat 08:00-16:00. */
const h1 = { fromDay: '2026-01-01', days: week(day(8, 16), day(8, 16)) };
/** Mon-Fri 09:00-17:00 with a break 13:00-13:45, Sat 09:00-13:00, a half day until 13:00. */
const h2 = { fromDay: '2026-01-01', days: week(day(9, 17, 13, lunch), day(9, 13)) };
/** From Mon 13 Jul 10:00-14:00 and 14:45-18:00. */
const h3 = {
  fromDay: '2026-07-13',
  days: week(day(10, 18, 14, [{ from: 14 * 60, to: 14 * 60 + 45 }]), day(9, 13)),
};

const vacation = Array.from({ length: 20 }, (_, n) => {
  const at = new Date(Date.UTC(2026, 9, 26 + n)).toISOString().slice(0, 10);
  return [at, 'Vacation'] as const;
});
/** Every day of the year as a working day, but for Sundays, a holiday, a half day, a worked Sunday and a vacation. */
const kinds = new Map<string, string>([
  ...Array.from({ length: 400 }, (_, n) => {
    const at = new Date(Date.UTC(2026, 5, 1 + n));
    return [at.toISOString().slice(0, 10), at.getUTCDay() === 0 ? 'Weekly off' : 'Working day'] as const;
  }),
  ['2026-08-15', 'Holiday'],
  ['2026-07-08', 'Half day'],
  ['2026-07-12', 'Working day'],
  ...vacation,
]);
const facts = (hours: ClockFacts['hours'], more: [string, string][] = []): ClockFacts => ({
  hours,
  kinds: new Map([...kinds, ...more]),
  worksInVacation: false,
});
const first = openHours(facts([h1]));
const second = openHours(facts([h2]));
const third = openHours(facts([h2, h3], [['2026-07-12', 'Weekly off']]));

/** "4 10:00" in July, "8-17 09:30" in August. */
const at = (words: string) => {
  const [date = '', time = ''] = words.split(' ');
  const [month, number] = date.includes('-') ? date.split('-') : ['7', date];
  return minuteOf(`2026-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}T${time}:00+05:30`);
};
const shown = (minute: number | null) => {
  if (minute === null) return null;
  const moment = new Date(momentOf(minute).getTime() + 330 * 60_000).toISOString();
  const [month, number] = [Number(moment.slice(5, 7)), Number(moment.slice(8, 10))];
  return `${month === 7 ? '' : `${month}-`}${number} ${moment.slice(11, 16)}`;
};
const holds = (...spans: [string, string][]) => spans.map(([from, to]) => ({ from: at(from), to: at(to) }));

const vectors: [name: string, due: number | null, expected: string | null][] = [
  ['a first answer', dueAt(first, at('3 14:00'), 240), '4 10:00'],
  ['a solution', dueAt(first, at('3 14:00'), 960), '6 14:00'],
  ['a hold over the weekend', dueAt(first, at('3 14:00'), 960, holds(['4 10:00', '6 10:00'])), '7 14:00'],
  ['a day of work', dueAt(first, at('6 09:00'), 480), '7 09:00'],
  ['a hold of five hours', dueAt(first, at('6 09:00'), 480, holds(['6 10:00', '6 15:00'])), '7 14:00'],
  ['over the lunch break', dueAt(second, at('6 12:30'), 60), '6 14:15'],
  ['raised in the lunch break', dueAt(second, at('6 13:10'), 30), '6 14:15'],
  ['exactly at closing', dueAt(second, at('6 16:00'), 60), '6 17:00'],
  ['a minute more', dueAt(second, at('6 16:00'), 61), '7 09:01'],
  ['raised at night', dueAt(second, at('6 22:15'), 30), '7 09:30'],
  ['raised before opening', dueAt(second, at('7 07:00'), 30), '7 09:30'],
  ['a short Saturday', dueAt(second, at('4 12:30'), 60), '6 09:30'],
  ['raised on Sunday, due at a break', dueAt(second, at('5 11:00'), 240), '6 13:00'],
  ['a holiday', dueAt(second, at('8-14 16:30'), 60), '8-17 09:30'],
  ['a half day', dueAt(second, at('8 09:00'), 300), '9 10:00'],
  ['a worked Sunday', dueAt(second, at('11 12:00'), 120), '12 10:00'],
  ['a hold over lunch', dueAt(second, at('6 12:00'), 120, holds(['6 12:30', '6 14:00'])), '6 15:30'],
  ['a hold at night only', dueAt(second, at('6 16:00'), 120, holds(['6 17:00', '7 09:00'])), '7 10:00'],
  ['two holds', dueAt(second, at('6 09:00'), 480, holds(['6 10:00', '6 11:00'], ['6 15:30', '7 09:30'])), '7 12:45'],
  ['after the hold made urgent', dueAt(first, at('3 14:00'), 480, holds(['4 10:00', '6 10:00'])), '6 14:00'],
  ['after the hold made low', dueAt(first, at('3 14:00'), 2400, holds(['4 10:00', '6 10:00'])), '10 14:00'],
  ['reopened', dueAt(first, at('9 15:00'), 960), '11 15:00'],
  ['80 % of the time', dueAt(first, at('3 14:00'), shareOf(960, 80)), '6 10:48'],
  [
    '80 % of the time with a hold',
    dueAt(first, at('3 14:00'), shareOf(960, 80), holds(['4 10:00', '6 10:00'])),
    '7 10:48',
  ],
  ['a working day later', sameTimeOn(first, at('6 14:00'), 1), '7 14:00'],
  ['a working day later, cut to the closing', sameTimeOn(second, at('3 16:30'), 1), '4 13:00'],
  ['closing after Friday', sameTimeOn(first, at('3 14:00'), 3), '7 14:00'],
  ['closing after Sunday', sameTimeOn(first, at('5 11:00'), 3), '8 11:00'],
  ['a vacation', dueAt(first, at('10-24 15:00'), 240), '11-16 11:00'],
  ['before a holiday is declared', dueAt(second, at('6 15:00'), 240), '7 11:00'],
  [
    'after the holiday is declared',
    dueAt(openHours(facts([h2], [['2026-07-07', 'Holiday']])), at('6 15:00'), 240),
    '8 11:00',
  ],
  ['new hours from Monday', dueAt(third, at('10 16:00'), 480), '13 13:00'],
  ['a hold before opening', dueAt(second, at('6 22:00'), 60, holds(['7 06:00', '7 10:00'])), '7 11:00'],
];

test.each(vectors)('G2.5 G3.3 the clock: %s', (_, due, expected) => {
  expect(shown(due)).toBe(expected);
});

test('without business hours in the next year there is no due time', () => {
  expect(dueAt(openHours(facts([])), at('6 09:00'), 5)).toBeNull();
  expect(dueAt(first, at('6 09:00'), 5, [{ from: at('6 09:00'), to: Number.POSITIVE_INFINITY }])).toBeNull();
  expect(sameTimeOn(openHours(facts([])), at('6 09:00'), 1)).toBeNull();
});

test('a vacation counts where the setting says so', () => {
  const works = openHours({ ...facts([h1]), worksInVacation: true });
  expect(shown(dueAt(works, at('10-24 15:00'), 240))).toBe('10-26 11:00');
});

/** A small generator: the same tickets at every run. */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  return { upTo: (most: number) => Math.floor(next() * (most + 1)), isTrue: (share: number) => next() < share };
}

/** The business minutes of a day, each asked by itself: no interval arithmetic. */
function minutesOfDay(day: number, { hours, kinds: of, worksInVacation }: ClockFacts): boolean[] {
  const moment = new Date(day * 86_400_000);
  const name = moment.toISOString().slice(0, 10);
  const kind = of.get(name);
  const isOff = kind === 'Holiday' || kind === 'Weekly off' || (kind === 'Vacation' && !worksInVacation);
  const set = hours.filter(({ fromDay }) => fromDay <= name).at(-1);
  const found = set?.days[(moment.getUTCDay() + 6) % 7] ?? (kind === undefined ? undefined : set?.days[0]);
  return Array.from({ length: 1440 }, (_, time) => {
    if (isOff || !found) return false;
    if (time < found.opens || time >= (kind === 'Half day' ? found.halfDayCloses : found.closes)) return false;
    return !found.breaks.some(({ from, to }) => time >= from && time < to);
  });
}

test('G0.3 5,000 random tickets are due at the same minute as by counting minute after minute', () => {
  const dice = random(20_260_704);
  const names = [...kinds.keys()];
  for (let ticket = 0; ticket < 5000; ticket++) {
    const more = Array.from({ length: dice.upTo(6) }, (): [string, string] => [
      names[dice.upTo(60)] as string,
      ['Holiday', 'Half day', 'Vacation', 'Working day', 'Exam day', 'Weekly off'][dice.upTo(5)] as string,
    ]);
    const randomDay = (): DayHours | null => {
      if (dice.isTrue(0.15)) return null;
      const opens = dice.upTo(700);
      const halfDayCloses = opens + 10 + dice.upTo(300);
      const closes = Math.min(1440, halfDayCloses + dice.upTo(300));
      const from = opens + 1 + dice.upTo(Math.max(0, closes - opens - 3));
      const to = Math.min(closes - 1, from + 1 + dice.upTo(60));
      return { opens, closes, halfDayCloses, breaks: dice.isTrue(0.7) && from < to ? [{ from, to }] : [] };
    };
    const set = (fromDay: string) => ({ fromDay, days: Array.from({ length: 7 }, randomDay) });
    const given: ClockFacts = {
      ...facts([set('2026-01-01'), ...(dice.isTrue(0.4) ? [set(names[10 + dice.upTo(20)] as string)] : [])], more),
      worksInVacation: dice.isTrue(0.5),
    };
    const start = at('1 00:00') + dice.upTo(20 * 1440);
    const pauses: { from: number; to: number }[] = [];
    let after = start - 600;
    for (let count = dice.upTo(3); count > 0; count--) {
      const from = after + dice.upTo(2000);
      const to = from + dice.upTo(1500);
      pauses.push({ from, to });
      after = to;
    }
    const minutes = 5 + dice.upTo(dice.isTrue(0.7) ? 200 : 1200);
    const days = new Map<number, boolean[]>();
    const isCounted = (at: number) => {
      const number = Math.floor(at / 1440);
      const ofDay = days.get(number) ?? minutesOfDay(number, given);
      days.set(number, ofDay);
      return ofDay[at % 1440] === true && !pauses.some(({ from, to }) => at >= from && at < to);
    };
    let left = minutes;
    let minute = start;
    const end = start + 40 * 1440;
    for (; left > 0 && minute < end; minute++) if (isCounted(minute)) left--;
    const open = openHours(given);
    const due = dueAt(open, start, minutes, pauses);
    if (left > 0) {
      expect(due === null || due > end).toBe(true);
      continue;
    }
    expect([ticket, due]).toEqual([ticket, minute]);
    expect(worked(open, start, minute, pauses)).toBe(minutes);
    // A pause in which nobody works changes nothing.
    const closed = Array.from({ length: 40 }, (_, n) => minute - 40 + n).find((one) => one >= start && !isCounted(one));
    if (closed !== undefined)
      expect(dueAt(open, start, minutes, [...pauses, { from: closed, to: closed + 1 }])).toBe(due);
  }
});
