import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { english } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { leaverList } from '../../contract/leaver.ts';
import { completedReason, leavingReaders } from '../../contract/leaving.ts';

/** The number of the leaving certificate that counts. */
const certificate = sql<string | null>`(select number from student_certificate paper where paper.leaving_id = leaving.id
  and paper.kind = 'Leaving' and paper.voided_at is null)`;

/** A class that children complete: without a next one, and with no class above it whose link was forgotten. */
const isLastClass = sql<boolean>`(grade.next_grade_id is null and not exists (select from academic_grade other
  where other.is_active and other.position > grade.position))`;

/**
 * The enrolments whose children leave with the year’s last day, in the branches that the user reaches: who has that day, and
 * who has no place in a later year and is in the last class, or is to leave by the year’s result.
 */
const leavers = ({ db, user }: UserContext) =>
  db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'enrollment.branch_id')
    .leftJoin('student_result as result', 'result.enrollment_id', 'enrollment.id')
    .leftJoin('student_leaving as leaving', (join) =>
      join
        .onRef('leaving.enrollment_id', '=', 'enrollment.id')
        .on('leaving.undone_at', 'is', null)
        .on('leaving.readmitted_on', 'is', null),
    )
    .leftJoinLateral(
      sql<{ name: string; section_id: number | null; roll_no: number | null }>`student_place(student.id, year.ends_on,
        year.id)`.as('place'),
      (join) => join.onTrue(),
    )
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where('enrollment.is_standing', '=', true)
    .where('student.merged_into_id', 'is', null)
    .where(inScope(user, leavingReaders, { branch: sql`enrollment.branch_id`, section: sql`null::integer` }))
    .where(
      sql<boolean>`(leaving.last_day = year.ends_on or enrollment.status = 'Active' and leaving.id is null
        and (result.decision = 'Leave' or ${isLastClass} and coalesce(result.decision, 'Promote') = 'Promote')
        and not exists (select from student_enrollment later where later.student_id = student.id and later.is_standing
          and later.joined_on > year.ends_on))`,
    );

const listed = (ctx: UserContext) =>
  leavers(ctx)
    .select(['enrollment.id', 'student.id as studentId', 'student.name', 'student.gr_no as grNo'])
    .select(['place.name as section', 'place.roll_no as rollNo', 'branch.name as branch'])
    .select([
      sql<string>`coalesce(nullif(leaving.conduct, ''), result.conduct, '')`.as('conduct'),
      sql<string>`coalesce(nullif(leaving.progress, ''), result.progress, '')`.as('progress'),
      sql<string>`coalesce(leaving.last_day, year.ends_on)::text`.as('leaves'),
      certificate.as('certificate'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

export const { routes: leaverListRoutes, selected: leaversSelected } = serveList(leaverList, (ctx) => ({
  query: listed(ctx),
  id: 'enrollment.id',
  isPeople: true,
  matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
  tabs: { all: undefined },
  filters: {
    yearId: (id) => sql`enrollment.academic_year_id = ${Number(id)}`,
    gradeId: (id) => sql`enrollment.grade_id = ${Number(id)}`,
    sectionId: (id) => sql`place.section_id = ${Number(id)}`,
    branchId: (id) => sql`enrollment.branch_id = ${Number(id)}`,
    paper: (state) =>
      state === 'With a certificate' ? sql`(${certificate} is not null)` : sql`(${certificate} is null)`,
  },
  sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
  toRows: async (rows: Row[]) =>
    rows.map((row) => ({ ...row, section: row.section ?? '', certificate: row.certificate ?? '' })),
}));

/** These leavers as an act needs them, in the order of grade, section and roll number. */
export const readLeavers = (ctx: UserContext, ids: readonly number[]) =>
  leavers(ctx)
    .where('enrollment.id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select(['enrollment.id', 'enrollment.student_id as studentId', 'enrollment.academic_year_id as yearId'])
    .select(['enrollment.branch_id as branchId', 'student.name', 'year.name as year', 'year.closed_at as closedAt'])
    .select(['year.ends_on as endsOn', 'leaving.id as leavingId', 'result.decision'])
    .select([
      // Who leaves the last class for another reason has not completed it.
      sql<boolean>`(${isLastClass} and (coalesce(result.decision, 'Promote') = 'Promote'
        or result.reason = ${english(completedReason)}))`.as('isFinal'),
      sql<string>`coalesce(nullif(leaving.conduct, ''), result.conduct, '')`.as('conduct'),
      sql<string>`coalesce(nullif(leaving.progress, ''), result.progress, '')`.as('progress'),
      certificate.as('certificate'),
    ])
    .orderBy('enrollment.branch_id')
    .orderBy('grade.position')
    .orderBy(sql`lower(section.name)`)
    .orderBy('place.roll_no')
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
export type Leaver = Awaited<ReturnType<typeof readLeavers>>[number];
