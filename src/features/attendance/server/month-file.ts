import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { sheetFile } from '#kit/server/list/table-file.ts';
import { openTemplate, type PaperData, type PaperTable, type Signature } from '#kit/server/paper/paper.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { type MonthChild, type MonthDay, type MonthMatrix, type monthApi, shownMarks } from '../contract/month.ts';
import { monthMatrix } from './month.ts';

/** A month of A4 lying: children in the order of their GR numbers, totals below, lines for signatures. */
interface MonthRegister extends PaperData {
  facts: (readonly [name: Text, value: string])[];
  register: {
    heads: (string | Text)[];
    rows: string[][];
    sums: (string | Text)[][];
    /** The first columns, of which the last is the name, and the wider columns at the end. */
    lead: number;
    tail: number;
    /** Columns of days without school. */
    shaded: number[];
  };
  /** How many children of each category there are, and their attendance. */
  categories: PaperTable;
  notes: Text[];
  signatures: Signature[];
  made: Text;
}
const monthRegister = openTemplate<MonthRegister>(new URL('./month-register.typ', import.meta.url));

/** The register of a section and month as a file. */
export const exportMonth: Handler<typeof monthApi.export> = async (ctx, { sectionId, month, as }) => {
  const matrix = await monthMatrix(ctx, { sectionId, month });
  const { section, children } = matrix;
  if (!section) throw new AppError('not_found', notFoundMessage);
  if (children.length === 0) throw new AppError('conflict', text`No students in this section in this month.`);
  const act = {
    action: 'attendance.month-exported',
    entity: 'academic_section',
    entityId: section.id,
    details: { rows: children.length, section: section.name, month: matrix.month, as },
    names: children.length,
  };
  const name = `attendance-${section.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${matrix.month}`;
  return takeNames(ctx, act, async () => {
    if (as !== 'pdf') return sheetFile(ctx, { name, ...sheetOf(matrix) }, as);
    const bytes = await ctx.makePaper(monthRegister, await paperOf(ctx, matrix, section), ctx.caller);
    return { mediaType: 'application/pdf', name: `${name}.pdf`, bytes };
  });
};

const rateOf = (perMille: number | null) => (perMille === null ? null : perMille / 10);

/** The totals of a child as the page shows them: leave with on duty. */
const sumsOf = ({ totals, yearPerMille }: MonthChild) => [
  totals.present,
  totals.absent,
  totals.late,
  totals.halfDay,
  totals.leave + totals.onDuty,
  totals.days,
  rateOf(totals.perMille),
  rateOf(yearPerMille),
];
const sumHeads = ['Present', 'Absent', 'Late', 'Half day', 'Leave', 'Days', '%', 'Year %'];
const footKeys = [
  ['Present', 'present'],
  ['Boys', 'boys'],
  ['Girls', 'girls'],
] as const;

function sheetOf({ days, children, perMille, yearPerMille }: MonthMatrix) {
  const foot = footKeys.map(([title, key], index) => [
    null,
    title,
    ...days.map((day) => (day.isTaken && day.work > 0 ? day[key] : null)),
    ...Array<null>(6).fill(null),
    ...(index === 0 ? [rateOf(perMille), rateOf(yearPerMille)] : [null, null]),
  ]);
  return {
    heads: ['Roll no', 'Name', ...days.map(({ day }) => String(Number(day.slice(8)))), ...sumHeads],
    rows: [
      ...children.map((child) => [
        child.rollNo,
        child.name,
        ...child.marks.map((halves) => halves && shownMarks(halves)),
        ...sumsOf(child),
      ]),
      ...foot,
    ],
  };
}

interface Person {
  id: number;
  grNo: string;
  gender: string;
  category: string;
}

async function listPeople({ db }: UserContext, ids: readonly number[]) {
  const { rows } = await sql<Person>`
    select student.id, student.gr_no as "grNo", student.gender, coalesce(category.name, '') as category
    from student left join academic_lookup category on category.id = student.category_id
    where student.id = any(${[...ids]}::integer[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

const shown = (value: number | null) => (value === null || value === 0 ? '–' : String(value));
const percentShown = (value: number | null) => (value === null ? '–' : value.toFixed(1));

async function paperOf(
  ctx: UserContext,
  matrix: MonthMatrix,
  section: { id: number; name: string },
): Promise<MonthRegister> {
  const { days, children, month, codes } = matrix;
  const people = await listPeople(
    ctx,
    children.map(({ studentId }) => studentId),
  );
  const grNoOf = ({ studentId }: MonthChild) => people.get(studentId)?.grNo ?? '';
  const ordered = children.toSorted((one, other) =>
    grNoOf(one).localeCompare(grNoOf(other), 'en', { numeric: true, sensitivity: 'base' }),
  );
  const { rows: teachers } = await sql<{ name: string | null }>`
    select (select name from staff where id = academic_class_teacher(${section.id}, ${days.at(-1)?.day ?? matrix.today})) as name`.execute(
    ctx.db,
  );
  const head = await ctx.readPaperHead(ctx);
  const lead = 3;
  const working = days.filter(({ work, isPast }) => work > 0 && isPast);
  const used = codes.filter(({ code }) => children.some(({ marks }) => marks.some((halves) => halves?.includes(code))));
  return {
    head,
    title: text`Attendance register`,
    facts: [
      [text`Section`, section.name],
      [text`Month`, showDate(`${month}-01`).slice(2).trim()],
      [text`Class teacher`, teachers[0]?.name ?? '–'],
      [text`School days`, shown(working.reduce((sum, { work }) => sum + work, 0))],
      [text`Registers taken`, shown(working.filter(({ isTaken }) => isTaken).length)],
      [text`Attendance`, `${percentShown(rateOf(matrix.perMille))} %`],
    ],
    register: {
      heads: [
        text`GR no`,
        text`Roll`,
        text`Name`,
        ...days.map(({ day }) => String(Number(day.slice(8)))),
        text`P`,
        text`A`,
        text`L`,
        text`Half`,
        text`Lv`,
        text`Days`,
        verbatim('%'),
      ],
      rows: ordered.map((child) => {
        const [rate, ...sums] = sumsOf(child).slice(0, 7).toReversed();
        return [
          grNoOf(child),
          String(child.rollNo ?? ''),
          child.isNeverJoined ? `${child.name} †` : child.name,
          ...child.marks.map((halves, index) => `${shownMarks(halves)}${child.elsewhere.includes(index) ? '*' : ''}`),
          ...sums.toReversed().map((value) => shown(value ?? null)),
          percentShown(rate ?? null),
        ];
      }),
      sums: [text`Present`, text`Boys`, text`Girls`].map((title, index) => [
        '',
        '',
        title,
        ...days.map((day) => {
          const [, key] = footKeys[index] ?? footKeys[0];
          return day.isTaken && day.work > 0 ? String(day[key]) : '';
        }),
        ...Array<string>(6).fill(''),
        index === 0 ? percentShown(rateOf(matrix.perMille)) : '',
      ]),
      lead,
      tail: 7,
      shaded: days.flatMap(({ work }, index) => (work === 0 ? [lead + index] : [])),
    },
    categories: categoriesOf(ordered, people),
    notes: [
      ...used.map(({ code, name }) => text`${{ code }} ${{ name }}`),
      ...(children.some(({ elsewhere }) => elsewhere.length > 0) ? [text`* taken in another section`] : []),
      ...(children.some(({ isNeverJoined }) => isNeverJoined) ? [text`† never joined, not counted`] : []),
      ...namedDays(days),
    ],
    signatures: [
      { who: text`Class teacher` },
      { who: text`Principal`, ...(head.signature && { picture: head.signature }) },
    ],
    made: text`Printed on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
  };
}

/** The days with a name, those of one name in a row together: "7–28 Vacation". */
function namedDays(days: readonly MonthDay[]): Text[] {
  const spans: { name: string; first: string; last: string }[] = [];
  for (const { day, name } of days) {
    const span = spans.at(-1);
    const date = String(Number(day.slice(8)));
    if (span?.name === name) span.last = date;
    else spans.push({ name, first: date, last: date });
  }
  return spans
    .filter(({ name }) => name !== '')
    .map(({ name, first, last }) => text`${{ days: first === last ? first : `${first}–${last}` }} ${{ name }}`);
}

/** Boys, girls, and days present of each category, with a last line for all. */
function categoriesOf(children: readonly MonthChild[], people: ReadonlyMap<number, Person>): PaperTable {
  const groups = Map.groupBy(children, ({ studentId }) => people.get(studentId)?.category ?? '');
  const lineOf = (name: string | Text, own: readonly MonthChild[]): (string | Text)[] => {
    const count = (gender: string) => own.filter(({ studentId }) => people.get(studentId)?.gender === gender).length;
    const sum = (key: 'present' | 'absent' | 'days') => own.reduce((total, { totals }) => total + totals[key], 0);
    return [name, ...[count('M'), count('F'), own.length, sum('present'), sum('absent'), sum('days')].map(shown)];
  };
  const names = [...groups.keys()].toSorted(
    (one, other) => Number(one === '') - Number(other === '') || one.localeCompare(other),
  );
  return {
    heads: [
      text`Category`,
      text`Boys`,
      text`Girls`,
      text`Students`,
      text`Days present`,
      text`Days absent`,
      text`Days taken`,
    ],
    rows: names.map((name) => lineOf(name || text`Not entered`, groups.get(name) ?? [])),
    sums: lineOf(text`All`, children),
    right: [1, 2, 3, 4, 5, 6],
  };
}
