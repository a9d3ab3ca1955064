import { sql } from 'kysely';
import { contains } from '#kit/server/list/pagination.ts';
import { conditionOf, serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { leavingReaders } from '../contract/leaving.ts';
import { unexplainedList } from '../contract/unexplained.ts';
import { today } from './enrolment/place.ts';
import { standingAt, studentsSeen } from './visible.ts';

export const { routes: unexplainedRoutes } = serveList(unexplainedList, (ctx) => {
  const at = today(ctx);
  const query = studentsSeen(ctx, leavingReaders)
    .select(['student.id', 'student.name', 'student.gr_no as grNo', 'shown.name as section', 'shown.roll_no as rollNo'])
    .select([
      sql<string | null>`(select name from academic_year where id = shown.academic_year_id)`.as('year'),
      sql<string | null>`(select name from academic_branch where id = shown.branch_id)`.as('branch'),
      sql<string | null>`(select name from student_contact where student_id = student.id)`.as('guardian'),
      sql<string | null>`(select mobile from student_contact where student_id = student.id)`.as('mobile'),
    ]);
  type Row = Awaited<ReturnType<(typeof query)['executeTakeFirstOrThrow']>>;
  return {
    query,
    id: 'student.id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
    tabs: {
      // Last year's roll without a place in this year and without a last day.
      undecided: sql<boolean>`(shown.tense = 'past' and ${standingAt(at).status} = 'Undecided')`,
      // Enrolled, and not once marked as here: another feature knows the marks.
      notSeen: sql<boolean>`(shown.tense = 'now' and ${conditionOf(
        ctx,
        { list: unexplainedList.name, filter: 'notSeen' },
        sql`student.id` as never,
        '',
      )})`,
    },
    filters: {
      gradeId: (id) => sql`shown.grade_id = ${Number(id)}`,
      branchId: (id) => sql`shown.branch_id = ${Number(id)}`,
    },
    sorts: { name: { by: sql`student.sort_name`, as: 'text' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ section, year, branch, guardian, mobile, ...row }) => ({
        ...row,
        section: section ?? '',
        year: year ?? '',
        branch: branch ?? '',
        guardian: guardian ?? '',
        mobile: mobile ?? '',
      })),
  };
});
