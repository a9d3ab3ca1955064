import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { audit, auditAll } from '#kit/server/audit.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { dayBeside } from '#kit/server/day.ts';
import { contains } from '#kit/server/paging.ts';
import { type Handler, routes } from '#kit/server/routes.ts';
import { tableFile } from '#kit/server/table-file.ts';
import { mostStudents, type PlacedStudent, sectionStudentApi } from '../contract/section-student.ts';
import { closedYearMessage, readYear } from '../shared.ts';
import {
  byName,
  endPlaces,
  type HeldEnrollment,
  type HeldSection,
  holdEnrollments,
  holdSections,
  holdsOn,
  place,
  refusingPlaces,
  shareYear,
  strengthsFrom,
  studentName,
} from './placing.ts';
import { promote, promotion } from './promotion.ts';
import { lock, number, setRoll } from './roll-number.ts';
import { dayOf, sectionName } from './section.ts';
import { spread as spreadOver } from './spread.ts';

interface Look {
  academicYearId: number;
  gradeId: number;
}

/** A year's sections with who is in them on a day; of one grade, or of all. */
async function readSections({ db }: Pick<Context, 'db'>, { academicYearId, gradeId }: Partial<Look>, on: string) {
  const rows = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('academic_program as program', 'program.id', 'section.program_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'section.branch_id')
    .leftJoin('student_section as own', (join) => join.onRef('own.section_id', '=', 'section.id').on(holdsOn(on)))
    .leftJoin('student', 'student.id', 'own.student_id')
    .where('section.academic_year_id', '=', academicYearId ?? 0)
    .$if(gradeId !== undefined, (query) => query.where('section.grade_id', '=', gradeId ?? 0))
    .where('section.is_active', '=', true)
    .groupBy(['section.id', 'grade.id', 'program.name', 'branch.name'])
    .select(['section.id', 'section.capacity', 'section.is_roll_locked', 'grade.name as grade'])
    .select(['section.program_id', 'section.branch_id', 'program.name as program', 'branch.name as branch'])
    .select([
      sectionName.as('name'),
      sql<number>`count(student.id)`.as('strength'),
      sql<number>`count(*) filter (where student.gender = 'F')`.as('girls'),
      sql<number>`count(*) filter (where student.gender = 'M')`.as('boys'),
    ])
    .orderBy('grade.position')
    .orderBy('branch.name')
    .orderBy('program.name')
    .orderBy(sql`lower(section.name)`)
    .orderBy('section.id')
    .limit(300)
    .execute();
  return rows.map(({ is_roll_locked, ...row }) => ({ ...row, isRollLocked: is_roll_locked }));
}

/** The enrolled students of a grade who are still here on a day, and the section they are in. */
const enrolledOf = ({ db }: Pick<Context, 'db'>, { academicYearId, gradeId }: Look, on: string) =>
  db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .innerJoin('academic_program as program', 'program.id', 'enrollment.program_id')
    .leftJoin('student_section as own', (join) => join.onRef('own.enrollment_id', '=', 'enrollment.id').on(holdsOn(on)))
    .where('enrollment.academic_year_id', '=', academicYearId)
    .where('enrollment.grade_id', '=', gradeId)
    .where(sql<boolean>`coalesce(enrollment.left_on, 'infinity') >= ${on}`);

/** Those of a section, or those who have none. Who comes only later and has one by then lacks nothing. */
const studentsOf = (ctx: Pick<Context, 'db'>, look: Look, sectionId: number | null, on: string) => {
  const enrolled = enrolledOf(ctx, look, on);
  if (sectionId !== null) return enrolled.where('own.section_id', '=', sectionId);
  return enrolled
    .where('own.id', 'is', null)
    .where((row) => row.or([row('enrollment.joined_on', '<=', on), row.not(hasPlaceFrom(on))]));
};

/** Whether an enrollment has a section that begins on a day or behind it. */
const hasPlaceFrom = (day: string) =>
  sql<boolean>`exists (select from student_section later
    where later.enrollment_id = enrollment.id and later.effective_from >= ${day}::date)`;

const overview: Handler<typeof sectionStudentApi.overview> = async (ctx, look) => {
  const year = await readYear(ctx, look.academicYearId);
  const on = dayOf(ctx, year, look.on);
  const [sections, { count }] = await Promise.all([
    readSections(ctx, look, on),
    studentsOf(ctx, look, null, on)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  const shown = sections.map(({ grade: _, program_id: __, branch_id: ___, ...section }) => section);
  return { on, isClosed: year.status === 'Closed', sections: shown, unplaced: count };
};

const students: Handler<typeof sectionStudentApi.students> = async (ctx, { sectionId, search, ...look }) => {
  const on = dayOf(ctx, await readYear(ctx, look.academicYearId), look.on);
  const rows = await studentsOf(ctx, look, sectionId, on)
    .$if(search !== '', (query) =>
      query.where(sql<boolean>`concat_ws(' ', ${studentName}, student.gr_no) ilike ${contains(search)}`),
    )
    .select(['enrollment.id', 'student.gr_no', 'student.gender', 'own.roll_no', 'own.effective_from'])
    .select(['program.name as program', studentName.as('name'), sql<number>`count(*) over ()`.as('total')])
    // Who has no section has no number either.
    .orderBy(sql`own.roll_no nulls last`)
    .orderBy(byName)
    .limit(mostStudents)
    .execute();
  return {
    students: rows.map((row) => ({
      ...{ id: row.id, name: row.name, grNo: row.gr_no, gender: row.gender as PlacedStudent['gender'] },
      ...{ rollNo: row.roll_no, program: row.program, since: row.effective_from ?? '' },
    })),
    total: rows[0]?.total ?? 0,
  };
};

const listed = (names: readonly string[]) =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');

/** Throws where somebody is not in this year, has left, or comes only later. */
function judge(enrollments: readonly HeldEnrollment[], ids: readonly number[], yearId: number, from: string) {
  if (enrollments.length !== new Set(ids).size || enrollments.some((one) => one.academic_year_id !== yearId))
    throw new AppError('conflict', 'Some of these students are not in this year any more. Look at them again.');
  const gone = enrollments.filter(({ status }) => status === 'Left' || status === 'Transferred');
  if (gone.length > 0)
    throw new AppError('conflict', `${listed(gone.map(({ name }) => name))} left, so no section can be given.`);
  const later = enrollments.filter(({ joined_on }) => joined_on > from);
  if (later.length > 0)
    throw fieldRefusal(
      'from',
      `${listed(later.map(({ name, joined_on }) => `${name} joins on ${showDate(joined_on)}`))}. Choose that day.`,
    );
}

const move: Handler<typeof sectionStudentApi.move> = async (ctx, input) => {
  const { academicYearId, sectionId, enrollmentIds, from, reason } = input;
  await shareYear(ctx, academicYearId);
  const held = await holdEnrollments(ctx, enrollmentIds);
  judge(held, enrollmentIds, academicYearId, from);
  const left = await sectionsOf(ctx, enrollmentIds);
  const sections = await holdSections(ctx, [...left, ...(sectionId === null ? [] : [sectionId])]);
  const section = sections.find(({ id }) => id === sectionId);
  if (sectionId !== null && (section?.academic_year_id !== academicYearId || !section.is_active))
    throw new AppError('conflict', 'This section is not open in this year any more. Look again.');
  const before = await placesFrom(ctx, enrollmentIds, from);
  const moving = held.filter(({ id }) => before.get(id)?.sectionId !== (section?.id ?? null));
  if (moving.length === 0) return { moved: 0 };

  const ids = moving.map(({ id }) => id);
  await refusingPlaces(ctx, async () => {
    await endPlaces(ctx, ids, from);
    if (!section) return;
    await requireSeats(ctx, section, ids.length, from);
    const enrolled = await enrolledFor(ctx, section, moving, from);
    const placings = enrolled.map((enrollmentId) => ({ enrollmentId, sectionId: section.id }));
    await place(ctx, placings, from, reason);
  });
  await auditAll(
    ctx,
    moving.map(({ id, student_id, name }) => ({
      action: 'section-student.moved',
      entity: 'student',
      entityId: student_id,
      details: {
        Student: name,
        Section: `${before.get(id)?.name ?? '–'} → ${section?.name ?? '–'}`,
        From: from,
        ...(reason && { Reason: reason }),
      },
    })),
  );
  return { moved: moving.length };
};

/** Every section that enrollments ever were or will be in. */
async function sectionsOf({ db }: UserContext, enrollmentIds: readonly number[]) {
  const rows = await db
    .selectFrom('student_section')
    .where('enrollment_id', 'in', enrollmentIds)
    .select('section_id')
    .distinct()
    .execute();
  return rows.map((row) => row.section_id);
}

/** Where enrollments are from a day on; nobody who is to go elsewhere later is as good as there. */
async function placesFrom({ db }: UserContext, ids: readonly number[], from: string) {
  const rows = await db
    .selectFrom('student_section as own')
    .innerJoin('academic_section as section', 'section.id', 'own.section_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where('own.enrollment_id', 'in', ids)
    .where(holdsOn(from))
    .select(['own.enrollment_id', 'own.section_id', 'own.effective_to', sectionName.as('name')])
    .execute();
  return new Map<number, { sectionId: number | null; name?: string }>([
    ...ids.map((id) => [id, { sectionId: null }] as const),
    ...rows.map((row) => {
      const sectionId = row.effective_to === null ? row.section_id : -1;
      return [row.enrollment_id, { sectionId, name: row.name }] as const;
    }),
  ]);
}

async function requireSeats(ctx: UserContext, section: HeldSection, wanted: number, from: string) {
  const strength = (await strengthsFrom(ctx, [section.id], from)).get(section.id) ?? 0;
  const free = section.capacity - strength;
  if (wanted <= free) return;
  const says = `${section.name} holds ${section.capacity} and has ${strength}: ${Math.max(free, 0)} free, ${wanted} chosen.`;
  throw fieldRefusal('sectionId', says);
}

/** The enrollments that go into a section: where it is of another grade, program or branch, they end and begin anew there. */
async function enrolledFor(ctx: UserContext, section: HeldSection, moving: readonly HeldEnrollment[], from: string) {
  const { academic_year_id, branch_id, program_id, grade_id } = section;
  const to = { academic_year_id, branch_id, program_id, grade_id };
  const isHere = (one: HeldEnrollment) =>
    one.branch_id === branch_id && one.program_id === program_id && one.grade_id === grade_id;
  const here = moving.filter(isHere).map(({ id }) => id);
  const others = moving.filter((one) => !isHere(one));
  const settled = others.filter(({ status }) => status !== 'Active');
  if (settled.length > 0) {
    const names = listed(settled.map(({ name }) => name));
    throw new AppError('conflict', `${names}: promoted or detained already, so the grade stays as it is.`);
  }
  // Who has not been there for a day was entered in the wrong place.
  const mistaken = others.filter(({ joined_on }) => joined_on === from);
  const changing = others.filter(({ joined_on }) => joined_on !== from);
  if (mistaken.length > 0) {
    const ids = mistaken.map(({ id }) => id);
    await ctx.db.updateTable('student_enrollment').set(to).where('id', 'in', ids).execute();
    here.push(...ids);
  }
  if (changing.length === 0) return here;
  await ctx.db
    .updateTable('student_enrollment')
    .set({ status: 'Transferred', left_on: dayBeside(from, -1) })
    .where(
      'id',
      'in',
      changing.map(({ id }) => id),
    )
    .execute();
  const begun = await ctx.db
    .insertInto('student_enrollment')
    .values(changing.map(({ student_id }) => ({ ...to, student_id, admission_type: 'Existing', joined_on: from })))
    .returning('id')
    .execute();
  return [...here, ...begun.map(({ id }) => id)];
}

const spread: Handler<typeof sectionStudentApi.spread> = async (ctx, { from, expected, ...look }) => {
  const isTrial = expected === undefined;
  const year = await readYear(ctx, look.academicYearId, !isTrial);
  if (year.status === 'Closed') throw new AppError('conflict', closedYearMessage);
  const on = dayOf(ctx, year, from);
  const [sections, waiting] = await Promise.all([
    readSections(ctx, look, on),
    studentsOf(ctx, look, null, on)
      .where('enrollment.joined_on', '<=', on)
      .where('enrollment.status', 'not in', ['Left', 'Transferred'])
      .where((row) => row.not(hasPlaceFrom(on)))
      .select([
        'enrollment.id',
        'enrollment.student_id',
        'enrollment.program_id',
        'enrollment.branch_id',
        'student.gender',
        studentName.as('name'),
      ])
      .orderBy(byName)
      .execute(),
  ]);
  const strengths = await strengthsFrom(
    ctx,
    sections.map(({ id }) => id),
    on,
  );
  const seats = sections.map((section) => ({ ...section, strength: strengths.get(section.id) ?? 0 }));
  const given = new Map<number, number>();
  for (const { program_id, branch_id } of distinctPlaces(waiting)) {
    const isHere = (one: { program_id: number; branch_id: number }) =>
      one.program_id === program_id && one.branch_id === branch_id;
    for (const [id, sectionId] of spreadOver(waiting.filter(isHere), seats.filter(isHere))) given.set(id, sectionId);
  }
  const digest = createHash('sha256')
    .update(JSON.stringify([on, ...given]))
    .digest('base64url');
  if (!isTrial && expected !== digest)
    throw new AppError('stale', 'Somebody has placed or moved students meanwhile. Look at the plan again.');
  const added = sections.map((section) => ({
    section,
    children: waiting.filter(({ id }) => given.get(id) === section.id),
  }));
  if (!isTrial) {
    const placings = [...given].map(([enrollmentId, sectionId]) => ({ enrollmentId, sectionId }));
    await holdSections(ctx, [...new Set(given.values())]);
    await refusingPlaces(ctx, () => place(ctx, placings, on));
    await auditAll(
      ctx,
      added.flatMap(({ section, children }) =>
        children.map(({ student_id, name }) => ({
          ...{ action: 'section-student.moved', entity: 'student', entityId: student_id },
          details: { Student: name, Section: `– → ${section.name}`, From: on },
        })),
      ),
    );
  }
  return {
    digest,
    sections: added.map(({ section, children }) => ({
      name: section.name,
      girls: section.girls + children.filter(({ gender }) => gender === 'F').length,
      boys: section.boys + children.filter(({ gender }) => gender === 'M').length,
      added: children.map(({ name }) => name),
    })),
    left: waiting.filter(({ id }) => !given.has(id)).map(({ name }) => name),
    isDone: !isTrial,
  };
};

const distinctPlaces = <One extends { program_id: number; branch_id: number }>(all: readonly One[]) => [
  ...new Map(all.map((one) => [`${one.program_id} ${one.branch_id}`, one])).values(),
];

const genders: Record<string, string> = { F: 'Girl', M: 'Boy', T: 'Transgender' };

const exportAll: Handler<typeof sectionStudentApi.export> = async (ctx, { sectionId, what, as, ...look }) => {
  const year = await readYear(ctx, look.academicYearId);
  const on = dayOf(ctx, year, look.on);
  const note = (rows: number) =>
    audit(ctx, {
      action: 'section-student.exported',
      entity: 'academic_year',
      entityId: year.id,
      details: { rows, what, as, day: on },
    });
  if (what === 'strength') {
    const sections = await readSections(ctx, { academicYearId: year.id }, on);
    await note(sections.length);
    const heads = ['Grade', 'Section', 'Program', 'Branch', 'Girls', 'Boys', 'All', 'Capacity', 'Free'];
    const rows = sections.map((one) => [
      ...[one.grade, one.name, one.program, one.branch, one.girls, one.boys],
      ...[one.strength, one.capacity, one.capacity - one.strength],
    ]);
    return tableFile('strength', heads, rows, as);
  }
  const enrolled = enrolledOf(ctx, look, on).where('enrollment.joined_on', '<=', on);
  const rows = await (sectionId === null ? enrolled : enrolled.where('own.section_id', '=', sectionId))
    .leftJoin('academic_section as section', 'section.id', 'own.section_id')
    .leftJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .select([sectionName.as('section'), 'own.roll_no', 'student.gr_no', studentName.as('name'), 'student.gender'])
    .select('student.birth_date')
    .orderBy(sql`lower(section.name) nulls last`)
    .orderBy(sql`own.roll_no nulls last`)
    .orderBy(byName)
    .limit(10_000)
    .execute();
  await note(rows.length);
  const heads = ['Section', 'Roll number', 'GR number', 'Name', 'Gender', 'Birth date'];
  const cells = rows.map((row) => [
    ...[row.section || null, row.roll_no, row.gr_no, row.name, genders[row.gender] ?? '', row.birth_date],
  ]);
  return tableFile('class-list', heads, cells, as);
};

const handlers = { overview, students, move, spread, number, setRoll, lock, promotion, promote, export: exportAll };
export default routes(sectionStudentApi, handlers);
