import { sql } from 'kysely';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { ResultDecision } from '../../contract/result.ts';
import type { SectionWay } from '../../contract/turn.ts';
import { reTestPlace } from '../settings.ts';
import { planSeats } from './auto-assign-plan.ts';
import { selectResults } from './result.ts';

interface Year {
  id: number;
  starts_on: string;
}

/** The children of a year’s last day with what a turn does with each, grade by grade, section by section, by name. */
export async function readCandidates(ctx: Pick<Context, 'db'>, yearId: number, ids: readonly number[] | null = null) {
  const rows = await selectResults(ctx, sql<number>`${yearId}::integer`)
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where(sql<boolean>`(${ids}::integer[] is null or own.id = any(${ids}::integer[]))`)
    .select(['own.id', 'own.student_id', 'own.branch_id', 'own.program_id', 'own.grade_id', 'own.status'])
    .select([
      'student.name',
      'student.gender',
      'section.name as letter',
      'place.section_id as old',
      'grade.name as grade',
    ])
    .select(['next.id as next_id', 'next.name as next', 'later.id as later_id'])
    .select(['result.decision', 'result.reason', 'result.conduct', 'result.progress', 'result.version'])
    .select(
      sql<boolean>`not exists (select from academic_grade other where other.is_active and other.position > grade.position)`.as(
        'is_last',
      ),
    )
    .orderBy('grade.position')
    .orderBy(sql`lower(section.name) nulls last`)
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    isOpen: row.status === 'Active' && row.later_id === null,
    chosen: decisionOf(row),
  }));
}
export type Candidate = Awaited<ReturnType<typeof readCandidates>>[number];

/** Without a decision a child is promoted, or leaves; who passes the last class has completed it. */
function decisionOf({
  decision,
  next_id,
  is_last,
}: {
  decision: string | null;
  next_id: number | null;
  is_last: boolean;
}) {
  if (next_id === null && is_last && (decision ?? 'Promote') === 'Promote') return 'Leave';
  return (decision ?? 'Promote') as ResultDecision;
}

interface Seat {
  id: number;
  name: string;
  letter: string;
  gradeId: number;
  branchId: number;
  programId: number;
  capacity: number;
  strength: number;
  girls: number;
  boys: number;
}

/** The active sections of a year, with how many sit in each on its fullest day from the first one. */
async function readSeats({ db }: Pick<Context, 'db'>, { id, starts_on }: Year): Promise<Seat[]> {
  const { rows } = await sql<Seat>`
    select section.id, academic_section_name(grade.name, section.name) as name, section.name as letter,
      section.grade_id as "gradeId", section.branch_id as "branchId", section.program_id as "programId", section.capacity,
      seated.strength, seated.girls, seated.boys
    from academic_section section join academic_grade grade on grade.id = section.grade_id
    cross join lateral (select count(*)::integer as strength, count(*) filter (where student.gender = 'F')::integer as girls,
        count(*) filter (where student.gender = 'M')::integer as boys
      from student_section own join student on student.id = own.student_id
      where own.section_id = section.id and coalesce(own.effective_to, 'infinity') >= ${starts_on}::date) as seated
    where section.academic_year_id = ${id} and section.is_active
    order by lower(section.name), section.id`.execute(db);
  return rows;
}

/** Where a child of a turn goes: the grade of the new year with the section; of who leaves neither. */
export interface Going {
  child: Candidate;
  /** The word that the enrolment gets; a re-test has that of its place. */
  as: 'Promote' | 'Detain' | 'Leave';
  gradeId: number | null;
  sectionId: number | null;
  /** Why there is no section; undefined where one is given, or none is wanted. */
  why?: Text;
}

export interface PlannedGrade {
  id: number;
  name: string;
  goesTo: string;
  children: Candidate[];
  goings: Going[];
  stops: Text | null;
  to: string;
  seatsLeft: number | null;
}

const wait = text`Sections are assigned later`;

/**
 * What a turn of these grades does, all of a year by default: a plan, of which nothing is written. A grade that stops has
 * no goings.
 */
export async function planTurn(
  ctx: Pick<Context, 'db'>,
  { from, to, keeps, gradeIds }: { from: { id: number }; to: Year; keeps: SectionWay; gradeIds: readonly number[] },
): Promise<PlannedGrade[]> {
  const candidates = await readCandidates(ctx, from.id);
  const seats = await readSeats(ctx, to);
  const reTest = await readSetting(ctx, reTestPlace);
  const grades = [...Map.groupBy(candidates, ({ grade_id }) => grade_id)].map(([id, children]): PlannedGrade => {
    const [first] = children as [Candidate, ...Candidate[]];
    const stop = stopOf(children, seats);
    const isAsked = gradeIds.length === 0 || gradeIds.includes(id);
    return {
      id,
      name: first.grade,
      goesTo: first.next ?? '',
      children,
      goings:
        stop || !isAsked
          ? []
          : children.flatMap((child) => (child.isOpen ? [goingOf(child, reTest === 'Same grade')] : [])),
      stops: stop?.why ?? null,
      to: stop?.to ?? '',
      seatsLeft: null,
    };
  });
  const goings = grades.flatMap((grade) => grade.goings);
  giveSeats(goings, seats, keeps);
  return grades.map((grade) => {
    const next = grade.children[0]?.next_id;
    const own = seats.filter(({ gradeId }) => gradeId === next);
    const left = own.reduce((sum, { capacity, strength }) => sum + Math.max(capacity - strength, 0), 0);
    return { ...grade, seatsLeft: next ? left : null };
  });
}

/** Why no child of a grade can be promoted, and where that is corrected. */
function stopOf(children: readonly Candidate[], seats: readonly Seat[]) {
  const [first] = children;
  if (!first) return undefined;
  const promoted = children.filter(({ isOpen, chosen }) => isOpen && (chosen === 'Promote' || chosen === 'Re-test'));
  if (promoted.length === 0) return undefined;
  if (first.next_id === null)
    return promoted.some(({ is_last, chosen }) => !(is_last && chosen === 'Re-test'))
      ? { why: text`${{ grade: first.grade }} has no next grade.`, to: 'academic/academic-master?tab=grade' }
      : undefined;
  return seats.some(({ gradeId }) => gradeId === first.next_id)
    ? undefined
    : {
        why: text`${{ grade: first.next ?? '' }} has no section in the new year.`,
        to: 'academic/academic-master?tab=section',
      };
}

/** Where a child goes; who repeats a test sits in the next grade, or in the same one. */
export function goingOf(child: Candidate, repeats: boolean): Going {
  const { chosen, next_id, grade_id } = child;
  if (chosen === 'Leave') return { child, as: 'Leave', gradeId: null, sectionId: null };
  const isKept = chosen === 'Detain' || (chosen === 'Re-test' && (repeats || next_id === null));
  return { child, as: isKept ? 'Detain' : 'Promote', gradeId: isKept ? grade_id : next_id, sectionId: null };
}

/** Gives the seats of the new year: by letter first to who is promoted, and then evenly to who repeats the grade. */
function giveSeats(goings: readonly Going[], seats: Seat[], keeps: SectionWay) {
  const moving = goings.filter(({ gradeId }) => gradeId !== null);
  if (keeps === 'None') {
    for (const going of moving) going.why = wait;
    return;
  }
  const isIn = (seat: Seat, { gradeId, child }: Going) =>
    seat.gradeId === gradeId && seat.branchId === child.branch_id && seat.programId === child.program_id;
  const byLetter = keeps === 'Same letter' ? moving.filter(({ as }) => as === 'Promote') : [];
  for (const going of byLetter) {
    const letter = (going.child.letter ?? '').toLowerCase();
    const seat = seats.find((one) => isIn(one, going) && one.letter.toLowerCase() === letter);
    if (seat && seat.strength < seat.capacity) take(going, seat);
    else going.why = whyByLetter(seat, going.child.letter);
  }
  const evenly = moving.filter((going) => !byLetter.includes(going));
  const groups = Map.groupBy(evenly, ({ gradeId, child }) => `${gradeId} ${child.branch_id} ${child.program_id}`);
  for (const group of groups.values()) {
    const [first] = group as [Going, ...Going[]];
    const own = seats.filter((seat) => isIn(seat, first));
    const planned = planSeats(
      group.map(({ child }) => ({ id: child.id, gender: child.gender, old: child.old })),
      own.map((seat) => ({ ...seat, olds: new Map() })),
      'ignore',
    );
    for (const going of group) {
      const seat = own.find(({ id }) => id === planned.get(going.child.id));
      if (seat) take(going, seat);
      else going.why = own.length === 0 ? text`No section in the new year` : text`All sections are full`;
    }
  }
}

function take(going: Going, seat: Seat) {
  going.sectionId = seat.id;
  seat.strength += 1;
  if (going.child.gender === 'F') seat.girls += 1;
  if (going.child.gender === 'M') seat.boys += 1;
}

function whyByLetter(seat: Seat | undefined, letter: string | null): Text {
  if (seat) return text`${{ section: seat.name }} is full`;
  return letter ? text`No section ${{ letter }} in the new year` : text`Had no section`;
}

/** How many of a grade’s children a turn promotes, detains, re-tests and lets go. */
export const countsOf = (goings: readonly Going[]) => {
  const of = (decision: ResultDecision) => goings.filter(({ child }) => child.chosen === decision).length;
  return { promoted: of('Promote'), detained: of('Detain'), reTest: of('Re-test'), leaving: of('Leave') };
};
