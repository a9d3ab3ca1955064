import { expect, test } from 'vitest';
import { usualRows } from '../frequency.ts';
import { type ChargedDue, charge, type HeadFacts, type PlanFacts, type PriceFrequency, type ProRata } from './price.ts';

const year = { startsOn: '2026-04-01', endsOn: '2027-03-31' };
const frequency = (
  id: number,
  kind: 'Monthly' | 'Quarterly' | 'Annual' | 'One-time',
  over: Partial<PriceFrequency> = {},
) => ({
  id,
  unit: 1,
  remainderSeq: 1,
  rows: usualRows(kind).map((row) => ({ ...row, label: `${kind} ${row.seq}` })),
  ...over,
});
const [monthly, quarterly, annually, once] = [
  frequency(1, 'Monthly'),
  frequency(2, 'Quarterly'),
  frequency(3, 'Annual'),
  frequency(4, 'One-time'),
];
const line = (rupees: number, of: PriceFrequency, months: number | null = null) => ({
  annual: rupees * 100,
  months,
  frequency: of,
});
const head = (
  feeHeadId: number,
  proRata: ProRata,
  stages: HeadFacts['stages'][number]['line'][] | HeadFacts['stages'],
  over: Partial<HeadFacts> = {},
): HeadFacts => ({
  feeHeadId,
  proRata,
  isDiscountable: proRata !== 'None',
  options: null,
  stages: stages.map((stage) => (stage && 'fromMonth' in stage ? stage : { fromMonth: 0, line: stage })),
  ...over,
});

const [tuition, term, yearly, admission, deposit] = [
  head(1, 'Month', [line(60_000, monthly)]),
  head(2, 'Month', [line(18_000, quarterly)]),
  head(3, 'None', [line(6000, annually)]),
  head(4, 'None', [line(10_000, once)]),
  head(5, 'None', [line(5000, once)]),
];
const existing = [tuition, term, yearly];
const newcomer = [...existing, admission, deposit];

const plan = (heads: readonly HeadFacts[], over: Partial<PlanFacts> = {}): PlanFacts => ({
  year,
  joinedOn: '2026-04-01',
  leftOn: null,
  cutoffDay: 15,
  heads,
  ...over,
});
const rupees = (paise: number) => paise / 100;
const charged = ({ gross, proRata }: ChargedDue) => rupees(gross - proRata);
const owed = (facts: PlanFacts) => charge(facts).filter(({ months }) => months.length > 0);
const total = (facts: PlanFacts) => owed(facts).reduce((sum, due) => sum + charged(due), 0);
const of = (feeHeadId: number, facts: PlanFacts) => owed(facts).filter((due) => due.feeHeadId === feeHeadId);

test('B4.8 a whole year costs an existing student 84,000 and a new one 99,000', () => {
  expect(total(plan(existing))).toBe(84_000);
  expect(total(plan(newcomer))).toBe(99_000);
});

test('B4.3 joining on 20 September charges from October: 60,000', () => {
  const facts = plan(newcomer, { joinedOn: '2026-09-20' });
  expect(total(facts)).toBe(60_000);
  expect(of(1, facts).map(({ from }) => from)[0]).toBe('2026-10-01');
  expect(of(2, facts).map(charged)).toEqual([4500, 4500]);
});

test('B4.10 joining on 10 September charges one month of the quarter: 66,500', () => {
  const facts = plan(newcomer, { joinedOn: '2026-09-10' });
  expect(total(facts)).toBe(66_500);
  expect(of(1, facts).map(charged)).toEqual(Array(7).fill(5000));
  expect(of(2, facts).map(({ gross, proRata }) => [rupees(gross), rupees(proRata)])).toEqual([
    [4500, 3000],
    [4500, 0],
    [4500, 0],
  ]);
});

test('₹1,00,000 in months is 8,337 and eleven times 8,333', () => {
  const facts = plan([head(1, 'Month', [line(100_000, monthly)])]);
  expect(owed(facts).map(charged)).toEqual([8337, ...Array(11).fill(8333)]);
});

test('₹1,00,000 in hundreds with the rest on the last month', () => {
  const hundreds = frequency(1, 'Monthly', { unit: 100, remainderSeq: 12 });
  const facts = plan([head(1, 'Month', [line(100_000, hundreds)])]);
  expect(owed(facts).map(charged)).toEqual([...Array(11).fill(8300), 8700]);
});

test('₹10,001 in thirds, by percent and in equal shares', () => {
  const rows = [0, 4, 8].map((fromMonth, at) => ({
    seq: at + 1,
    label: `Part ${at + 1}`,
    fromMonth,
    months: 4,
    dueMonth: fromMonth,
    dueDay: 10,
    share: [3333, 3333, 3334][at] ?? null,
  }));
  const shares = { ...quarterly, rows };
  const equal = { ...quarterly, rows: rows.map((row) => ({ ...row, share: null })) };
  expect(owed(plan([head(1, 'Month', [line(10_001, shares)])])).map(charged)).toEqual([3334, 3333, 3334]);
  expect(owed(plan([head(1, 'Month', [line(10_001, equal)])])).map(charged)).toEqual([3335, 3333, 3333]);
});

test('₹6,000.50 over the months without May is 550.50 and ten times 545', () => {
  const facts = plan([head(1, 'Month', [line(6000.5, monthly, 0xfff & ~2)])]);
  expect(owed(facts).map(charged)).toEqual([550.5, ...Array(10).fill(545)]);
});

test('a quarter of 5,000 by the month of leaving and of joining', () => {
  const quarter = [head(1, 'Month', [line(20_000, quarterly)])];
  const first = (over: Partial<PlanFacts>) => owed(plan(quarter, over)).map(charged)[0];
  const leaving = ['2026-04-12', '2026-05-20', '2026-06-03'].map((leftOn) => first({ leftOn }));
  expect(leaving).toEqual([1666, 3333, 5000]);
  const joining = ['2026-04-15', '2026-05-15', '2026-06-15'].map((joinedOn) => first({ joinedOn }));
  expect(joining).toEqual([5000, 3334, 1667]);
});

test('by days, joining and leaving within a quarter add up to the quarter', () => {
  const facts = (over: Partial<PlanFacts>) => plan([head(1, 'Day', [line(18_000, quarterly)])], over);
  const third = (over: Partial<PlanFacts>) => owed(facts(over)).find(({ from }) => from === '2026-10-01');
  const amountOf = (due: ChargedDue | undefined) => due && charged(due);
  expect(amountOf(third({ joinedOn: '2026-11-20' }))).toBe(2055);
  expect(amountOf(third({ leftOn: '2026-11-19' }))).toBe(2445);
});

test('B4.11 new prices from November leave the months before as they were: the year costs 62,705', () => {
  const facts = plan([
    head(1, 'Month', [
      { fromMonth: 0, line: line(60_000, monthly) },
      { fromMonth: 7, line: line(66_500, monthly) },
    ]),
  ]);
  expect(owed(facts).map(charged)).toEqual([...Array(7).fill(5000), ...Array(5).fill(5541)]);
  expect(total(facts)).toBe(62_705);
});

test('B4.12 a move to a dearer grade on 12 and on 18 October, with a term fee per quarter', () => {
  const moved = (fromMonth: number) =>
    plan([
      head(1, 'Month', [
        { fromMonth: 0, line: line(60_000, monthly) },
        { fromMonth, line: line(66_000, monthly) },
      ]),
      head(2, 'Month', [
        { fromMonth: 0, line: line(18_000, quarterly) },
        { fromMonth, line: line(21_000, quarterly) },
      ]),
    ]);
  const more = (feeHeadId: number, fromMonth: number) =>
    of(feeHeadId, moved(fromMonth)).map((due) => charged(due) - (feeHeadId === 1 ? 5000 : 4500));
  expect(more(1, 6).reduce((sum, one) => sum + one, 0)).toBe(3000);
  expect(more(1, 7).reduce((sum, one) => sum + one, 0)).toBe(2500);
  expect(more(2, 6)).toEqual([0, 0, 750, 750]);
  expect(more(2, 7)).toEqual([0, 0, 500, 750]);
});

test('quarterly dues of an April year are due on 10 April, 10 July, 10 October and 10 January', () => {
  expect(of(2, plan([term])).map(({ dueOn }) => dueOn)).toEqual([
    '2026-04-10',
    '2026-07-10',
    '2026-10-10',
    '2027-01-10',
  ]);
});

test('a head without pro-rata is charged in full on joining, and none of it comes back on leaving', () => {
  const exams = head(6, 'None', [line(2400, monthly, (1 << 5) | (1 << 10))]);
  const facts = (over: Partial<PlanFacts>) => plan([yearly, exams], over);
  expect(owed(facts({ joinedOn: '2026-11-20' })).map(charged)).toEqual([6000, 1200]);
  expect(owed(facts({ joinedOn: '2027-03-28' })).map(charged)).toEqual([6000]);
  expect(owed(facts({ leftOn: '2026-11-12' })).map(charged)).toEqual([6000, 1200]);
  const gone = charge(facts({ leftOn: '2026-11-12' })).find(({ seq }) => seq === 11);
  expect(gone).toMatchObject({ gross: 120_000, proRata: 120_000, months: [] });
});

test('an optional head is charged for the months that were chosen', () => {
  const lab = (proRata: ProRata) =>
    head(7, proRata, [line(6000, quarterly)], { options: [{ fromMonth: 4, toMonth: 11 }] });
  expect(owed(plan([lab('Month')])).map(charged)).toEqual([1000, 1500, 1500]);
  expect(owed(plan([lab('None')])).map(charged)).toEqual([1500, 1500, 1500]);
  expect(owed(plan([head(7, 'Month', [line(6000, quarterly)], { options: [] })]))).toEqual([]);
});

test('amounts by month are added up over the periods of the head, and end with the month of leaving', () => {
  const amounts = new Map([1, 2, 3, 4, 9].map((month) => [month, 50_000]));
  const bus = head(8, 'Month', [], { monthly: { frequency: quarterly, amounts } });
  expect(owed(plan([bus])).map(charged)).toEqual([1000, 1000, 500]);
  expect(owed(plan([bus], { leftOn: '2026-07-05' })).map(charged)).toEqual([1000, 500]);
});

test('a year that begins within a month has a short first month, which counts in full', () => {
  const odd = { year: { startsOn: '2026-06-15', endsOn: '2027-05-31' }, joinedOn: '2026-06-15' };
  expect(owed(plan([tuition], odd)).map(charged)).toEqual(Array(12).fill(5000));
  expect(owed(plan([tuition], { ...odd, joinedOn: '2026-06-16' })).map(charged)).toEqual(Array(11).fill(5000));
});

test('a grade with instalments of another frequency charges the rest of the year by that one', () => {
  const facts = plan([
    head(1, 'Month', [
      { fromMonth: 0, line: line(60_000, monthly) },
      { fromMonth: 7, line: line(72_000, quarterly) },
    ]),
  ]);
  expect(owed(facts).map((due) => [due.frequencyId, charged(due)])).toEqual([
    ...Array(6).fill([1, 5000]),
    [1, 5000],
    [2, 12_000],
    [2, 18_000],
  ]);
});

test('a head that the new prices lack is no longer charged from that month on', () => {
  const facts = plan([
    head(1, 'Month', [
      { fromMonth: 0, line: line(60_000, monthly) },
      { fromMonth: 4, line: null },
    ]),
  ]);
  expect(total(facts)).toBe(20_000);
});
