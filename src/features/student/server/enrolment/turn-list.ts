import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { turnList } from '../../contract/turn.ts';

/** The children of the turns of a year: of each the latest turn that was not undone. */
export const { routes: turnListRoutes } = serveList(turnList, ({ db, user }, { yearId = '' }) => {
  const asked = Number(yearId) > 0 ? Number(yearId) : null;
  const query = db
    .selectFrom('academic_turn_child as own')
    .innerJoin('academic_turn as turn', 'turn.id', 'own.turn_id')
    .innerJoin('student_enrollment as former', 'former.id', 'own.enrollment_id')
    .innerJoin('student', 'student.id', 'former.student_id')
    .innerJoin('academic_year as year', 'year.id', 'former.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'former.grade_id')
    .leftJoin('academic_promotion as promotion', (join) =>
      join.onRef('promotion.id', '=', 'former.promotion_id').onRef('promotion.turn_id', '=', 'own.turn_id'),
    )
    .leftJoinLateral(sql<{ name: string }>`student_place(student.id, year.ends_on, year.id)`.as('place'), (join) =>
      join.onTrue(),
    )
    .leftJoin('academic_year as next', 'next.id', 'turn.to_year_id')
    .leftJoinLateral(
      sql<{ section_id: number | null; name: string | null; roll_no: number | null }>`student_place(student.id,
        next.starts_on, next.id)`.as('there'),
      (join) => join.onTrue(),
    )
    .where(
      sql<boolean>`turn.id = (select max(latest.turn_id) from academic_turn_child latest
        where latest.enrollment_id = own.enrollment_id)`,
    )
    .where(sql<boolean>`(${asked}::integer is null or turn.from_year_id = ${asked})`)
    .where(inScope(user, turnList.access, { branch: sql`former.branch_id` }))
    .select(['own.id', 'student.id as studentId', 'student.name', 'student.gr_no as grNo', 'place.name as from'])
    .select(['own.turn_id as turnId', 'own.decision', 'own.why', 'there.name as section', 'there.roll_no as rollNo'])
    .select(sql<boolean>`promotion.id is not null`.as('isWritten'));
  type Row = Awaited<ReturnType<(typeof query)['executeTakeFirstOrThrow']>>;
  return {
    query,
    id: 'own.id',
    isPeople: true,
    isCountedAtOnce: true,
    matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
    tabs: { all: undefined },
    filters: {
      // It chooses the rows above.
      yearId: () => sql<boolean>`true`,
      gradeId: (id) => sql`former.grade_id = ${Number(id)}`,
      decision: (word) => sql`own.decision = ${word}`,
      state: (word) =>
        word === 'Not written'
          ? sql<boolean>`promotion.id is null`
          : sql<boolean>`(promotion.id is not null and own.decision <> 'Leave' and there.section_id is null)`,
    },
    // In the order of the turn: by grade, section and name.
    sorts: { from: { by: sql`own.id`, as: 'number' } },
    toRows: async (rows: Row[]) =>
      rows.map(({ isWritten, turnId, why, from, section, rollNo, ...row }) => ({
        ...row,
        turnId: isWritten ? turnId : null,
        from: from ?? '',
        section: isWritten ? (section ?? '') : '',
        rollNo: isWritten ? rollNo : null,
        why: why ? english(why as unknown as Text) : '',
      })),
  };
});
