import { type RawBuilder, sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { hasTag, readTags, tagOptions } from '#features/tag/api.ts';
import type { Tag } from '#features/tag/contract/tag.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { conditionOf, listSource, serveList } from '#kit/server/list/record-list.ts';
import { containsLikeName } from '#kit/server/search.ts';
import { type missing, months, sectionOptions, studentList, studentTagOptions } from '../contract/list.ts';
import { familyReaders, studentRecord } from '../contract/record.ts';
import { type At, asOn, atOf, today } from './enrolment/place.ts';
import { lacks } from './person/lacks.ts';
import { photoOf } from './person/photo.ts';
import { allStudentsSeen, isSeen, standingAt, studentsSeen } from './visible.ts';

const personalReaders = studentRecord.groups.personal.read;

/** The students that this user sees; what a reader may not see of a child is empty. */
const listedStudents = (ctx: UserContext, at: At) => {
  const own = <Value>(value: RawBuilder<Value>, seen: RawBuilder<boolean>) =>
    sql<Value | null>`case when ${seen} then ${value} end`;
  const sees = (access: Access) => isSeen(ctx.user, access, at);
  const seesFamily = sees(familyReaders);
  return studentsSeen(ctx, studentReaders, at)
    .select(['student.id', 'student.name', 'student.gr_no', 'student.admitted_on', 'shown.roll_no'])
    .select(['shown.name as section', standingAt(at).status.as('status')])
    .select(
      own(sql<number>`extract(year from age(${at.day}::date, student.birth_date))::integer`, sees(personalReaders)).as(
        'age',
      ),
    )
    .select('student.photo_id')
    .select([
      own(sql<string>`(select name from student_contact where student_id = student.id)`, seesFamily).as('guardian'),
      own(sql<string>`(select mobile from student_contact where student_id = student.id)`, seesFamily).as('mobile'),
      sql<string | null>`(select name from academic_branch where id = shown.branch_id)`.as('branch'),
      sql<string | null>`(select name from academic_year where id = shown.academic_year_id)`.as('year'),
    ]);
};
type Row = Awaited<ReturnType<ReturnType<typeof listedStudents>['executeTakeFirstOrThrow']>>;

const toRow = (row: Row, tags: readonly Tag[]) => ({
  id: row.id,
  name: row.name,
  grNo: row.gr_no,
  section: row.section ?? '',
  rollNo: row.roll_no,
  guardian: row.guardian ?? '',
  mobile: row.mobile ?? '',
  age: row.age,
  tags: tags.map(({ name }) => name),
  branch: row.branch ?? '',
  year: row.year ?? '',
  admittedOn: row.admitted_on,
  status: row.status,
  picture: photoOf(row.photo_id),
});

/** Where the students of a list come from, in the scope of the user: today, or in the year that the list is asked for. */
export const studentListSource = async (ctx: UserContext, { yearId }: Readonly<Record<string, string>>) => {
  const at = await atOf(ctx, Number(yearId ?? 0));
  const seen = studentsSeen(ctx, studentReaders, at).select('student.id');
  const { isHere, isUnplaced, joinsLater, hasLeft } = standingAt(at);
  return listSource(studentList, {
    query: listedStudents(ctx, at),
    all: allStudentsSeen(ctx, studentReaders, at),
    id: 'student.id',
    ...(at.year && { of: asOn(at.year, at.day) }),
    isPeople: true,
    isCountedAtOnce: true,
    record: { alias: 'student', sees: (readers) => isSeen(ctx.user, readers, at) },
    matches: (word) =>
      sql`(${containsLikeName('student', word, seen)} or lower(student.gr_no) like lower(${contains(word)})
        or student.id in (select merged_into_id from student merged
          where merged.merged_into_id is not null and lower(merged.gr_no) like lower(${contains(word)})))`,
    tabs: {
      active: isHere,
      unplaced: isUnplaced,
      joining: joinsLater,
      left: hasLeft,
      all: undefined,
    },
    filters: {
      // Of each filter by place, the students are found by an index; the place of the few is read then.
      yearId: (id) => sql`student.id in (select student_id from student_enrollment
        where academic_year_id = ${Number(id)})`,
      gradeId: (id) => sql`shown.grade_id = ${Number(id)}
        and student.id in (select student_id from student_enrollment where grade_id = ${Number(id)})`,
      sectionId: (id) => sql`shown.section_id = ${Number(id)}
        and student.id in (select student_id from student_section where section_id = ${Number(id)})`,
      branchId: (id) => sql`shown.branch_id = ${Number(id)}
        and student.id in (select student_id from student_enrollment where branch_id = ${Number(id)})`,
      tagId: (id) => hasTag(ctx, 'Student', sql`student.id`, Number(id)),
      transport: (word) => conditionOf(ctx, { list: studentList.name, filter: 'transport' }, sql`student.id`, word),
      birthMonth: (word) => sql`(${isSeen(ctx.user, personalReaders, at)}
        and extract(month from student.birth_date) = ${months.indexOf(word as (typeof months)[number]) + 1})`,
      doubt: () => sql`student.id = any(array(select unnest(array[one_id, other_id]) from student_doubts()))`,
      missing: (word) => lacks(ctx.user, word as (typeof missing)[number]),
    },
    sorts: {
      name: { by: sql`student.sort_name`, as: 'text' },
      grNo: { by: sql`lpad(lower(student.gr_no), 20, '0')`, as: 'text' },
    },
    toRows: async (rows: Row[]) => {
      const tags = await readTags(
        ctx,
        'Student',
        rows.map(({ id }) => id),
      );
      return rows.map((row) => toRow(row, tags.get(row.id) ?? []));
    },
  });
};

export const {
  routes: studentListRoutes,
  selected: studentsSelected,
  figures: studentFigures,
  first: firstStudents,
} = serveList(studentList, studentListSource);

const sections: Handler<typeof sectionOptions> = (ctx, { search, state, limit, chosenId, gradeId, yearId }) =>
  ctx.db
    .selectFrom('academic_section as section')
    .innerJoin('academic_year as year', 'year.id', 'section.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .where(inScope(ctx.user, studentReaders, { branch: sql`section.branch_id`, section: sql`section.id` }))
    .where(
      sql<boolean>`((year.id = coalesce(${yearId}::integer, academic_year_on(${today(ctx).day}::date)) and academic_section_name(grade.name, section.name) ilike ${contains(search)}
        and (${state} = '' or section.is_active = (${state} = 'active'))
        and (${gradeId}::integer is null or section.grade_id = ${gradeId})) or section.id = ${chosenId})`,
    )
    .select(['section.id', 'section.is_active as isActive'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
    // What else a section of this name has in another branch, program or year.
    .select(
      sql<string>`case when exists (select from academic_section other
          where other.id <> section.id and other.grade_id = section.grade_id and lower(other.name) = lower(section.name))
        then concat_ws(' · ', (select name from academic_branch where id = section.branch_id),
          (select name from academic_program where id = section.program_id), year.name) else '' end`.as('detail'),
    )
    .orderBy(sql`section.id is distinct from ${chosenId}`)
    .orderBy('grade.position')
    .orderBy(sql`lower(section.name)`)
    .orderBy('section.id')
    .limit(limit)
    .execute();

export const listOptionRoutes = routes(
  { sections: sectionOptions, tags: studentTagOptions },
  { sections, tags: (ctx, asked) => tagOptions(ctx, 'Student', asked) },
);
