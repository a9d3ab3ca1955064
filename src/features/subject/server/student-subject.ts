import { sql } from 'kysely';
import { clampToYear, lockOpenYear, readYear } from '#features/calendar/api.ts';
import { atOf, listNames, lockEnrollments, notInGradeMessage } from '#features/student/api.ts';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { stale } from '#kit/server/record/version.ts';
import { containsText } from '#kit/server/search.ts';
import { type Act, auditAll } from '#kit/server/security/audit.ts';
import { type ElectiveGroup, mostChoosing, studentSubjectApi } from '../contract/student-subject.ts';

interface ElectiveFilter {
  academicYearId: number;
  gradeId: number;
}
interface Choice extends ElectiveFilter {
  programId: number;
  groupId: number | null;
}

const noGroup = 'No group';
const notOfferedMessage = staleMessage;

/** The electives of a grade in a year with the group each belongs to, in the order of the groups' names. */
const electivesOf = ({ db }: Pick<Context, 'db'>, { academicYearId, gradeId }: ElectiveFilter) =>
  db
    .selectFrom('configuration_grade_subject as taken')
    .innerJoin('configuration_subject as subject', 'subject.id', 'taken.subject_id')
    .innerJoin('academic_program as program', 'program.id', 'taken.program_id')
    .leftJoin('configuration_elective_group as choice', 'choice.id', 'taken.elective_group_id')
    .where('taken.academic_year_id', '=', academicYearId)
    .where('taken.grade_id', '=', gradeId)
    .where('taken.is_compulsory', '=', false)
    .select(['taken.program_id', 'program.name as program', 'taken.elective_group_id', 'choice.name as group'])
    .select(['choice.min_choices', 'choice.max_choices', 'subject.id', 'subject.name'])
    .select(sql<boolean>`subject.is_active and coalesce(choice.is_active, true)`.as('isActive'))
    .orderBy(sql`lower(program.name)`)
    .orderBy('taken.program_id')
    .orderBy(sql`lower(choice.name) nulls last`)
    .orderBy('taken.elective_group_id')
    .orderBy(sql`lower(subject.name)`);
type Elective = Awaited<ReturnType<ReturnType<typeof electivesOf>['execute']>>[number];

/** Whether `enrollment` has not ended by a day. */
const isStill = (on: string) =>
  sql<boolean>`(enrollment.status <> 'Cancelled' and coalesce(enrollment.left_on, 'infinity') >= ${on}::date)`;

/** The students of a grade who have not left by a day or have electives, with their section. */
const enrolledOf = ({ db }: Pick<Context, 'db'>, { academicYearId, gradeId }: ElectiveFilter, on: string) =>
  db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .leftJoinLateral(
      sql<{ enrollment_id: number; section_id: number | null }>`student_place(student.id, ${on}::date,
        ${academicYearId}::integer)`.as('own'),
      (join) => join.onRef('own.enrollment_id', '=', 'enrollment.id'),
    )
    .leftJoin('academic_section as section', 'section.id', 'own.section_id')
    .where('enrollment.academic_year_id', '=', academicYearId)
    .where('enrollment.grade_id', '=', gradeId)
    .where((row) =>
      row.or([
        isStill(on),
        // Their choices keep an elective in the grade, so they must stay visible to be removed.
        sql<boolean>`exists (select from student_subject chosen where chosen.enrollment_id = enrollment.id)`,
      ]),
    );

/** The subjects an enrollment has chosen of a group. */
const chosenOf = (groupId: number | null) => sql<number[]>`array(
  select chosen.subject_id from student_subject chosen
  join configuration_grade_subject taken on taken.academic_year_id = chosen.academic_year_id
    and taken.program_id = chosen.program_id and taken.grade_id = chosen.grade_id and taken.subject_id = chosen.subject_id
  where chosen.enrollment_id = enrollment.id and taken.elective_group_id is not distinct from ${groupId}::integer
  order by chosen.subject_id)`;

const groups: Handler<typeof studentSubjectApi.groups> = async (ctx, filter) => {
  const year = await readYear(ctx, filter.academicYearId);
  const [electives, sections] = await Promise.all([
    electivesOf(ctx, filter).execute(),
    ctx.db
      .selectFrom('academic_section')
      .where('academic_year_id', '=', filter.academicYearId)
      .where('grade_id', '=', filter.gradeId)
      .where('is_active', '=', true)
      .select(['id', 'program_id as programId', 'name'])
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .execute(),
  ]);
  const { day } = await atOf(ctx, year.id);
  const students = await enrolledOf(ctx, filter, day)
    .where(isStill(day))
    .select('enrollment.program_id')
    .select(
      sql<number[]>`array(select subject_id from student_subject chosen where chosen.enrollment_id = enrollment.id)`.as(
        'chosen',
      ),
    )
    .execute();
  const byGroup = Map.groupBy(electives, (elective) => `${elective.program_id} ${elective.elective_group_id}`);
  return {
    isClosed: year.status === 'Closed',
    groups: [...byGroup.values()].map((own) => countedGroup(own, students)),
    sections,
  };
};

/** A group of electives with the counts of its choices. */
function countedGroup(electives: Elective[], students: { program_id: number; chosen: number[] }[]): ElectiveGroup {
  const [first] = electives as [Elective];
  const min = first.min_choices ?? 0;
  const isOfGroup = new Set(electives.map(({ id }) => id));
  const rows = students
    .filter(({ program_id }) => program_id === first.program_id)
    .map(({ chosen }) => ({ chosen: chosen.filter((id) => isOfGroup.has(id)) }));
  return {
    programId: first.program_id,
    program: first.program,
    groupId: first.elective_group_id,
    name: first.group ?? noGroup,
    min,
    max: first.max_choices,
    subjects: electives.map(({ id, name, isActive }) => ({
      id,
      name,
      isActive,
      chosen: rows.filter(({ chosen }) => chosen.includes(id)).length,
    })),
    students: rows.length,
    few: rows.filter(({ chosen }) => chosen.length < min).length,
  };
}

/** A group of the grade's electives; throws `conflict` where it has none. */
async function readGroup(ctx: Pick<Context, 'db'>, { programId, groupId, ...filter }: Choice) {
  const electives = await electivesOf(ctx, filter)
    .where('taken.program_id', '=', programId)
    .where(sql<boolean>`taken.elective_group_id is not distinct from ${groupId}::integer`)
    .execute();
  const [first] = electives;
  if (!first) throw new AppError('conflict', notOfferedMessage);
  const { group, min_choices, max_choices } = first;
  return { name: group ?? noGroup, min: min_choices ?? 0, max: max_choices ?? electives.length, electives };
}

const students: Handler<typeof studentSubjectApi.students> = async (ctx, { sectionId, few, search, ...choice }) => {
  const { day: on } = await atOf(ctx, choice.academicYearId);
  const { min } = await readGroup(ctx, choice);
  const chosen = chosenOf(choice.groupId);
  const rows = await enrolledOf(ctx, choice, on)
    .where('enrollment.program_id', '=', choice.programId)
    .$if(sectionId !== null, (query) => query.where('own.section_id', '=', sectionId))
    .where((row) => row.or([isStill(on), sql<boolean>`cardinality(${chosen}) > 0`]))
    .$if(few === 'yes', (query) => query.where(isStill(on)).where(sql<boolean>`cardinality(${chosen}) < ${min}`))
    .$if(search !== '', (query) => query.where(containsText(sql`concat_ws(' ', student.name, student.gr_no)`, search)))
    .select(['enrollment.id', 'student.gr_no', 'student.name', 'section.name as section'])
    .select(sql<string>`case when ${isStill(on)} then '' else enrollment.left_on::text end`.as('until'))
    .select([chosen.as('chosen'), sql<number>`count(*) over ()`.as('total')])
    .orderBy(sql`not ${isStill(on)}`)
    .orderBy(sql`lower(section.name) nulls last`)
    .orderBy('section.id')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .limit(mostChoosing)
    .execute();
  return {
    students: rows.map(({ id, name, gr_no, section, until, chosen: own }) => ({
      id,
      name,
      grNo: gr_no,
      section: section ?? '',
      until,
      chosen: own,
    })),
    total: rows[0]?.total ?? 0,
  };
};

const rules: ConstraintMessages = {
  table: 'student_subject',
  fields: {},
  constraintMessages: {
    student_subject_most: {
      field: 'changes',
      message: text`Some students would have too many electives. Change their electives first.`,
    },
  },
};

const save: Handler<typeof studentSubjectApi.save> = async (ctx, { changes, ...choice }) => {
  const year = await lockOpenYear(ctx, choice.academicYearId);
  const group = await readGroup(ctx, choice);
  const names = new Map(group.electives.map(({ id, name }) => [id, name]));
  if (changes.some(({ subjectId }) => !names.has(subjectId))) throw new AppError('conflict', notOfferedMessage);
  const off = group.electives.find(
    ({ id, isActive }) => !isActive && changes.some(({ subjectId, after }) => after && subjectId === id),
  );
  if (off) throw new AppError('conflict', text`This entry is inactive. Choose another one.`);
  const students = await readChoosing(ctx, choice, [...new Set(changes.map(({ enrollmentId }) => enrollmentId))]);
  const isOld = ({ enrollmentId, subjectId, before }: (typeof changes)[number]) =>
    students.get(enrollmentId)?.chosen.includes(subjectId) !== before;
  if (changes.some(isOld)) throw stale();
  const on = clampToYear(ctx, year, '');
  const isGone = ({ enrollmentId }: (typeof changes)[number]) => (students.get(enrollmentId)?.left_on ?? on) < on;
  if (changes.some((change) => change.after && isGone(change))) throw new AppError('conflict', notInGradeMessage);

  const after = new Map([...students].map(([id, { chosen }]) => [id, new Set(chosen)]));
  for (const { enrollmentId, subjectId, after: isChosen } of changes) {
    if (isChosen) after.get(enrollmentId)?.add(subjectId);
    else after.get(enrollmentId)?.delete(subjectId);
  }
  const over = [...students].filter(([id]) => (after.get(id)?.size ?? 0) > group.max);
  if (over.length > 0) {
    const students = listNames(over.map(([, { name }]) => name));
    throw new AppError(
      'conflict',
      text`Choose at most ${{ most: group.max }} in ${{ group: group.name }} for ${{ students }}.`,
    );
  }
  await withConstraintMessages(ctx, rules, () => write(ctx, changes));

  const words = (chosen: Iterable<number>) =>
    [...names]
      .filter(([id]) => new Set(chosen).has(id))
      .map(([, name]) => name)
      .join(', ') || '–';
  const acts = [...students].flatMap(([id, { studentId, name, chosen }]): Act[] => {
    const [was, is] = [words(chosen), words(after.get(id) ?? [])];
    if (was === is) return [];
    const details = { Student: name, Year: year.name, [group.name]: `${was} → ${is}` };
    return [{ action: 'student-subject.changed', entity: 'student', entityId: studentId, details }];
  });
  await auditAll(ctx, acts);
  return {};
};

/** Locks students of a grade and reads their choices of a group; throws `conflict` where one is no longer in the grade. */
async function readChoosing(ctx: UserContext, { groupId, ...place }: Choice, ids: number[]) {
  const held = (await lockEnrollments(ctx, ids)).filter(
    (enrollment) =>
      enrollment.academic_year_id === place.academicYearId &&
      enrollment.grade_id === place.gradeId &&
      enrollment.program_id === place.programId,
  );
  if (held.length < ids.length) throw new AppError('conflict', notInGradeMessage);
  const rows = await ctx.db
    .selectFrom('student_enrollment as enrollment')
    .where('enrollment.id', 'in', ids)
    .select(['enrollment.id', chosenOf(groupId).as('chosen')])
    .execute();
  const chosen = new Map(rows.map((row) => [row.id, row.chosen]));
  return new Map(
    held.map(({ id, student_id, name, left_on }) => [
      id,
      { studentId: student_id, name, left_on, chosen: chosen.get(id) ?? [] },
    ]),
  );
}

/** Deletes first, so that one subject can replace another within the maximum. */
async function write(
  { db }: UserContext,
  changes: readonly { enrollmentId: number; subjectId: number; after: boolean }[],
) {
  const input = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
    as input ("enrollmentId" integer, "subjectId" integer, after boolean)`;
  await sql`delete from student_subject as own using ${input}
    where own.enrollment_id = input."enrollmentId" and own.subject_id = input."subjectId" and not input.after`.execute(
    db,
  );
  await sql`insert into student_subject
      (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
    select enrollment.id, enrollment.student_id, enrollment.academic_year_id, enrollment.branch_id, enrollment.program_id,
      enrollment.grade_id, input."subjectId"
    from ${input} join student_enrollment enrollment on enrollment.id = input."enrollmentId"
    where input.after on conflict (enrollment_id, subject_id) do nothing`.execute(db);
}

export default routes(studentSubjectApi, { groups, students, save });
