import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { addDays } from '#kit/server/day.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';

/** Three years; between the first two is a vacation. */
const years = [
  { startsOn: '2061-06-01', endsOn: '2062-03-31' },
  { startsOn: '2062-06-01', endsOn: '2063-05-31' },
  { startsOn: '2063-06-01', endsOn: '2064-05-31' },
];
const from = '2061-05-20';
const until = '2064-06-10';
const length = (Date.parse(until) - Date.parse(from)) / 86_400_000;

interface Grade {
  id: number;
  name: string;
}

let school: School;
let yearIds: number[];
let grades: Grade[];
let place: { branchId: number; programId: number };
let reason: number;
/** The sections of a year, by grade. */
let rooms: Map<string, { id: number; name: string }>;

beforeAll(async () => {
  school = await openSchool();
  const first = await plant(school, sectionMaster);
  const { branchId, programId } = first as unknown as { branchId: number; programId: number };
  place = { branchId, programId };
  yearIds = [];
  for (const [index, year] of years.entries())
    yearIds.push((await plant(school, yearMaster, { ...year, name: `206${index + 1}-6${index + 2}` })).id);
  grades = [];
  rooms = new Map();
  for (let index = 0; index < 4; index++) {
    const grade = await plant(school, gradeMaster);
    grades.push({ id: grade.id, name: String(grade.name) });
    for (const academicYearId of yearIds)
      for (const letter of [0, 1]) {
        const section = await plant(school, sectionMaster, { ...place, academicYearId, gradeId: grade.id });
        rooms.set(`${academicYearId} ${index} ${letter}`, { id: section.id, name: String(section.name) });
      }
  }
  const [row] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  reason = Number(row?.id);
});
afterAll(() => school.close());

/** A year of a child: when it begins, in which section it sits, what happens then. Days are parts of the year. */
const yearOf = fc.record({
  isIn: fc.boolean(),
  grade: fc.nat(3),
  joins: fc.nat(200),
  seats: fc.array(fc.record({ letter: fc.nat(1), gap: fc.nat(20), days: fc.integer({ min: 1, max: 90 }) }), {
    maxLength: 3,
  }),
  seatsEnd: fc.boolean(),
  after: fc.constantFrom('nothing', 'nothing', 'left', 'regraded', 'returned', 'cancelled', 'no-show'),
  gap: fc.integer({ min: 1, max: 40 }),
});
type Drawn = typeof yearOf extends fc.Arbitrary<infer Of> ? Of : never;

interface Seat {
  section: { id: number; name: string };
  roll: number;
  from: string;
  to: string | undefined;
}

interface Enrolment {
  id: number;
  year: number;
  grade: number;
  status: 'Active' | 'Left' | 'Transferred' | 'Cancelled';
  isNoShow: boolean;
  joinedOn: string;
  leftOn: string | undefined;
  seats: Seat[];
}

interface Child {
  enrolments: Enrolment[];
  leftOn: string | undefined;
}

/** The history that the draws mean: nothing follows a leaving without a return. */
function childOf(drawn: readonly Drawn[]): Child {
  const enrolments: Enrolment[] = [];
  let leftOn: string | undefined;
  let roll = 0;
  for (const [year, { isIn, grade, joins, seats, seatsEnd, after, gap }] of drawn.entries()) {
    const { startsOn, endsOn } = years[year] as (typeof years)[number];
    if (!isIn || leftOn) continue;
    const joinedOn = addDays(startsOn, joins);
    const stop = addDays(joinedOn, 60);
    const isOver = ['left', 'regraded', 'returned'].includes(after);
    const isOff = after === 'cancelled' || after === 'no-show';
    const own: Seat[] = [];
    let day = joinedOn;
    for (const [index, seat] of seats.entries()) {
      const begins = addDays(day, seat.gap);
      const ends = addDays(begins, seat.days);
      const last = isOver ? stop : endsOn;
      if (isOff || begins > last) break;
      const section = rooms.get(`${yearIds[year]} ${grade} ${seat.letter}`);
      if (!section) throw new Error('no section');
      const isOpen = (index === seats.length - 1 && !seatsEnd && !isOver) || ends > last;
      own.push({ section, roll: ++roll, from: begins, to: isOpen ? (isOver ? last : undefined) : ends });
      if (isOpen) break;
      day = addDays(ends, 1);
    }
    const status = isOff ? 'Cancelled' : after === 'left' ? 'Left' : isOver ? 'Transferred' : 'Active';
    const base = { id: 0, year, isNoShow: after === 'no-show' };
    enrolments.push({ ...base, grade, status, joinedOn, leftOn: isOver ? stop : undefined, seats: own });
    if (after === 'left') leftOn = stop;
    const next = addDays(stop, after === 'returned' ? gap + 1 : 1);
    if (status === 'Transferred' && next <= endsOn)
      enrolments.push({
        ...base,
        ...{ grade: after === 'regraded' ? (grade + 1) % 4 : grade, status: 'Active', joinedOn: next, seats: [] },
        leftOn: undefined,
      });
  }
  return { enrolments, leftOn };
}

/** Stores the history; the student's id. */
async function store({ enrolments, leftOn }: Child): Promise<number> {
  await school.sql(`delete from student_section; delete from student_leaving; delete from student_enrollment;
    delete from student`);
  const [row] = await school.sql(`insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
    values (${place.branchId}, 'P1', 'Nisha', 'Shah', 'F', '2015-01-01') returning id`);
  const id = Number(row?.id);
  const day = (text: string | undefined) => (text ? `'${text}'` : 'null');
  for (const own of enrolments) {
    const keys = `${yearIds[own.year]}, ${place.branchId}, ${place.programId}, ${grades[own.grade]?.id}`;
    const [made] =
      await school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id,
        grade_id, admission_type, status, joined_on, left_on, cancelled_as)
      values (${id}, ${keys}, 'New', '${own.status}', ${day(own.joinedOn)}, ${day(own.leftOn)},
        ${own.isNoShow ? `'No-show'` : 'null'}) returning id`);
    own.id = Number(made?.id);
    for (const seat of own.seats)
      await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
          grade_id, section_id, roll_no, effective_from, effective_to)
        values (${own.id}, ${id}, ${keys}, ${seat.section.id}, ${seat.roll}, ${day(seat.from)}, ${day(seat.to)})`);
  }
  const last = enrolments.findLast(({ status }) => status === 'Left');
  if (leftOn && last)
    await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
      values (${id}, ${last.id}, '${leftOn}', ${reason}, 'Asha')`);
  return id;
}

const firstOf = ({ joinedOn, year }: Enrolment) => [joinedOn, years[year]?.startsOn ?? ''].toSorted().at(-1) ?? '';
const lastOf = ({ leftOn, year }: Enrolment) => [leftOn ?? '9', years[year]?.endsOn ?? ''].toSorted()[0] ?? '';

/** The plain rule: the enrolment that began last, else the first to come, on the day kept within it. */
function placeOf({ enrolments }: Child, day: string, ofYear?: number) {
  const standing = enrolments.filter(({ status, year }) => status !== 'Cancelled' && (ofYear ?? year) === year);
  const inOrder = standing.toSorted((one, other) => (firstOf(one) < firstOf(other) ? -1 : 1));
  const own = inOrder.findLast((one) => firstOf(one) <= day) ?? inOrder[0];
  if (!own) return undefined;
  const [first, last] = [firstOf(own), lastOf(own)];
  const tense = day < first ? 'future' : day > last ? 'past' : 'now';
  const asOf = { future: first, past: last, now: day }[tense];
  const seat = own.seats.find((one) => one.from <= asOf && asOf <= (one.to ?? last));
  const grade = grades[own.grade]?.name;
  return {
    enrollment: own.id,
    year: yearIds[own.year],
    section: seat?.section.id ?? null,
    roll: seat?.roll ?? null,
    asOf,
    tense,
    held: tense === 'now' ? (seat?.section.id ?? null) : null,
    name: seat ? `${grade}, ${seat.section.name}` : grade,
  };
}

function statusOf(child: Child, day: string) {
  if (child.leftOn && child.leftOn < day) return 'Left';
  const own = placeOf(child, day);
  if (!own) return child.enrolments.some(({ isNoShow }) => isNoShow) ? 'Never joined' : 'Active';
  if (own.tense !== 'past') return own.tense === 'now' ? 'Active' : 'Joining';
  const begun = years.findLast(({ startsOn }) => startsOn <= day)?.startsOn ?? '';
  return begun > own.asOf ? 'Undecided' : 'Active';
}

const read = `place.enrollment_id as enrollment, place.academic_year_id as year, place.section_id as section,
  place.roll_no as roll, place.as_of::text as "asOf", place.tense, place.held_section_id as held, place.name`;
const day = `(date '${from}' + number)`;

const runs = isSoak ? 400 : 30;

test(`U1.1 ${runs} random histories: the place of every day of three years is that of a plain model, one row or none`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(yearOf, yearOf, yearOf), async (drawn) => {
      const child = childOf(drawn);
      const id = await store(child);
      const rows = await school.sql(`select number, student_status(${id}, ${day}) as status, ${read}
        from generate_series(0, ${length}) number left join lateral student_place(${id}, ${day}) place on true
        order by number`);
      expect(rows).toEqual(
        Array.from({ length: length + 1 }, (_, number) => {
          const on = addDays(from, number);
          const empty = { enrollment: null, year: null, section: null, roll: null, asOf: null, tense: null };
          return {
            ...{ number, status: statusOf(child, on), ...empty, held: null, name: null },
            ...placeOf(child, on),
          };
        }),
      );
      // In a chosen year, on each tenth day.
      const ofYears = await school.sql(`select year.id as asked, number, ${read}
        from academic_year year cross join generate_series(0, ${length}, 10) number
        join lateral student_place(${id}, ${day}, year.id) place on true
        where year.id in (${yearIds.join()}) order by year.starts_on, number`);
      expect(ofYears).toEqual(
        yearIds.flatMap((asked, index) =>
          Array.from({ length: Math.floor(length / 10) + 1 }, (_, tenth) => {
            const own = placeOf(child, addDays(from, tenth * 10), index);
            return own ? [{ asked, number: tenth * 10, ...own }] : [];
          }).flat(),
        ),
      );
      // All students at once, as each of them alone; on each fiftieth day, and in each year.
      const [apart] = await school.sql(`with asked as (
          select ${day} as day, null::integer as year from generate_series(0, ${length}, 50) number
          union all select starts_on + number, id from academic_year cross join generate_series(0, ${length}, 200) number
            where id in (${yearIds.join()})),
        each as (select asked.day, asked.year, student.id as student_id, place.* from asked cross join student
          cross join lateral student_place(student.id, asked.day, asked.year) place),
        at_once as (select asked.day, asked.year, place.* from asked
          cross join lateral student_places(asked.day, asked.year) place)
        select (select count(*) from each) as each, (select count(*) from at_once) as "atOnce",
          (select count(*) from (table each except table at_once) missed) as missed`);
      expect(apart).toMatchObject({ atOnce: apart?.each, missed: 0 });
    }),
    { numRuns: runs },
  );
});
