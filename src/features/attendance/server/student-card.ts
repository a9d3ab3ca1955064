import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { readYear } from '#features/calendar/api.ts';
import { placesOf } from '#features/student/api.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { readSettings } from '#kit/server/settings.ts';
import { registerAccess } from '../contract/register.ts';
import { type ChildDay, type ChildTotals, daysOf, percentOf } from './child-days.ts';
import { lowPercent, nearPercent } from './settings.ts';

/** The school days that the strip shows. */
const mostDays = 30;

const tones = {
  Present: 'good',
  'On duty': 'good',
  Late: 'warn',
  'Half day': 'warn',
  Absent: 'bad',
  Leave: 'info',
  '': 'none',
} as const satisfies Record<string, NonNullable<CardAnswer['strip']>['cells'][number]['tone']>;
type Kind = keyof typeof tones;

const firstOfDays = (...days: string[]) => days.toSorted()[0] ?? '';
const lastOfDays = (...days: string[]) => days.toSorted().at(-1) ?? '';

const rateOf = (perMille: number | null) => (perMille === null ? '–' : `${(perMille / 10).toFixed(1)} %`);
const daysIn = (days: number) => (days === 0 ? '–' : String(days));

/** The attendance of a child in the year of the last enrolment: percentage, totals, the last school days and the months. */
export const attendanceCard: ServedCard = {
  card: studentCard('attendance', 'now', 15, text`Attendance`, [
    staff('classTeacher', 'subjectTeacher', 'office', 'principal', 'counsellor'),
  ]),
  read: async (ctx, id, { from, to }) => {
    const today = toLocalDate(ctx.now());
    const year = await lastYear(ctx, id, to || today);
    const empty = text`No attendance yet.`;
    if (!year) return { asOf: '', facts: [], table: null, to: '', empty };
    const span = {
      yearId: year.id,
      from: lastOfDays(from, year.startsOn),
      to: firstOfDays(to || today, today, year.endsOn),
    };
    const [totals] = await percentOf(ctx, [id], span);
    if (!totals || totals.perMille === null) return { asOf: '', facts: [], table: null, to: '', empty };
    const days = await daysOf(ctx, [id], lastOfDays(span.from, addDays(span.to, -70)), span.to);
    const { low, near } = await readSettings(ctx, { low: lowPercent, near: nearPercent });
    return {
      asOf: '',
      facts: factsOf(totals, year.name, low, near),
      strip: stripOf(days),
      ...(await monthParts(ctx, id, span)),
      to: mayOpenMonth(ctx) && year.sectionId ? monthAddress(year.sectionId, span.to) : '',
      empty,
    };
  },
  today: async (ctx, id) => {
    const day = toLocalDate(ctx.now());
    const year = await lastYear(ctx, id, day);
    if (year?.tense !== 'now') return undefined;
    const [totals] = await percentOf(ctx, [id], { yearId: year.id, from: year.startsOn, to: day });
    const rate = rateOf(totals?.perMille ?? null);
    const kinds = (await daysOf(ctx, [id], day, day)).map(({ kind }) => kind);
    const [kind] = attention.filter((one) => kinds.includes(one));
    return {
      label: text`Today`,
      value: kind === undefined ? text`No school` : kind === '' ? text`Not taken yet` : { id: kind },
      detail: totals?.perMille == null ? verbatim('') : text`${{ rate }} this year`,
      isLate: false,
    };
  },
};

const monthAddress = (sectionId: number, day: string) =>
  `/school-erp/attendance/month-wise-attendance?section=${sectionId}&month=${day.slice(0, 7)}`;

const mayOpenMonth = ({ user }: UserContext) => isGranted(registerAccess, user);

/** The year in which the child is on a day, or was last before it, with the section. */
async function lastYear(ctx: UserContext, studentId: number, day: string) {
  const place = (await placesOf(ctx, [studentId], { day, yearId: null })).get(studentId);
  if (!place || place.tense === 'future') return undefined;
  const { id, name, starts_on: startsOn, ends_on: endsOn } = await readYear(ctx, place.yearId);
  return { id, name, startsOn, endsOn, sectionId: place.sectionId, tense: place.tense };
}

function factsOf(totals: ChildTotals, year: string, low: number, near: number): CardAnswer['facts'] {
  const { perMille, days } = totals;
  const rate = rateOf(perMille);
  const below = [low, near].find((limit) => perMille !== null && perMille < 10 * limit);
  const facts: [Text, Text][] = [
    [
      verbatim(year),
      below === undefined
        ? text`${{ rate }} of ${{ days }} days`
        : text`${{ rate }} of ${{ days }} days, below ${{ below }} %`,
    ],
    [text`Present`, verbatim(daysIn(totals.present + totals.onDuty))],
    [text`Absent`, verbatim(daysIn(totals.absent))],
    [text`Late`, verbatim(daysIn(totals.late))],
    [text`Half days and leave`, verbatim(daysIn(totals.halfDay + totals.leave))],
    [text`Registers missing`, verbatim(daysIn(totals.notTaken))],
  ];
  return facts.map(([label, value]) => ({ label, value }));
}

/** What needs attention most is first. */
const attention = ['Absent', 'Leave', 'Half day', 'Late', 'On duty', 'Present', ''];

/** The last school days; of two halves the one that needs attention is shown. */
function stripOf(days: readonly ChildDay[]): NonNullable<CardAnswer['strip']> {
  const byDay = [...Map.groupBy(days, ({ day }) => day).values()].slice(-mostDays);
  const cells = byDay.flatMap((halves) => {
    const [shown] = halves.toSorted((one, other) => attention.indexOf(one.kind) - attention.indexOf(other.kind));
    return shown ? [{ day: shown.day, tone: tones[shown.kind as Kind], mark: shown.symbol }] : [];
  });
  const count = (tone: string) => cells.filter((cell) => cell.tone === tone).length;
  const [first, last] = [cells[0]?.day ?? '', cells.at(-1)?.day ?? ''];
  const facts = {
    days: cells.length,
    from: first && showDate(first),
    to: last && showDate(last),
    present: count('good'),
    absent: count('bad'),
    late: count('warn'),
    leave: count('info'),
    open: count('none'),
  };
  return {
    says: text(
      {
        message:
          '{days, plural, one {# school day} other {# school days}} from {from} to {to}: {present} present, {absent} absent, {late} late or half, {leave} on leave, {open} not taken',
      },
      facts,
    ),
    cells,
  };
}

interface Month {
  month: string;
  present: number;
  absent: number;
  late: number;
  leave: number;
  perMille: number | null;
}

/** The months as a table, and where there are several, their percentages as a line. */
async function monthParts(
  { db }: UserContext,
  id: number,
  { yearId, from, to }: { yearId: number; from: string; to: string },
) {
  const { rows } = await sql<Month>`
    with months as materialized (
      select month::date as first, (month + interval '1 month - 1 day')::date as last
      from generate_series(date_trunc('month', ${from}::timestamp), ${to}::timestamp, interval '1 month') as month)
    select months.first::text as month, (totals.present + totals.on_duty) / 4.0::float as present,
      totals.absent / 4.0::float as absent, totals.late / 4.0::float as late,
      (totals.leave + totals.half_day) / 4.0::float as leave, totals.per_mille as "perMille"
    from months
    cross join lateral attendance_totals(array[${id}::integer], ${yearId}, greatest(months.first, ${from}),
      least(months.last, ${to})) as totals
    order by months.first desc limit 12`.execute(db);
  const table: CardAnswer['table'] = {
    heads: [text`Month`, text`Present`, text`Absent`, text`Late`, text`Half days and leave`, text`Attendance`],
    rows: rows.map(({ month, present, absent, late, leave, perMille }) =>
      [nameOf(month), ...[present, absent, late, leave].map(daysIn), rateOf(perMille)].map(verbatim),
    ),
  };
  const taken = rows.filter(({ perMille }) => perMille !== null);
  return { table, ...(taken.length > 1 && { chart: chartOf(rows.toReversed()) }) };
}

const nameOf = (month: string) => showDate(month).slice(2).trim();

function chartOf(rows: readonly Month[]): NonNullable<CardAnswer['chart']> {
  const values = rows.flatMap(({ perMille }) => perMille ?? []);
  return {
    kind: 'line',
    says: text`Attendance by month: from ${{ least: rateOf(Math.min(...values)) }} to ${{ most: rateOf(Math.max(...values)) }}`,
    unit: 'percent',
    head: text`Month`,
    series: [{ label: text`Attendance`, tone: 'accent' }],
    points: rows.map(({ month, perMille }) => ({
      label: verbatim(nameOf(month)),
      values: [perMille === null ? null : perMille * 10],
    })),
  };
}
