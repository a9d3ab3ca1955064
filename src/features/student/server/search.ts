import { type SqlBool, sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { findByWords, type SearchGroup } from '#kit/server/search.ts';
import { effectiveOn } from './placement.ts';

/** Students are found by those who may open the page that lists them. */
export const studentSearch: SearchGroup = {
  kind: 'student',
  title: text`Students`,
  roles: ['Admin'],
  find: async (ctx: UserContext, search, most) => {
    const today = toLocalDate(ctx.now());
    const hasLeft = sql<boolean>`coalesce(student.left_on < ${today}, false)`;
    const rows = await findByWords(
      ctx.db
        .selectFrom('student')
        .select(['student.id', 'student.name', 'student.gr_no', 'student.left_on'])
        .select(hasLeft.as('has_left')),
      { search, most, name: sql`student.name`, sort: [hasLeft, sql`student.sort_name`, sql`student.id`] },
    );
    const seats =
      rows.length > 0
        ? await seatsOf(
            ctx,
            rows.map(({ id }) => id),
            today,
          )
        : new Map<number, Seat>();
    return rows.map(({ id, name, gr_no, left_on, has_left, closeness }) => {
      const seat = seats.get(id);
      return {
        id,
        title: name,
        detail: [gr_no, seat?.section ?? seat?.grade].filter(Boolean).join(' · '),
        ...(has_left && left_on && { note: text`Left on ${{ day: showDate(left_on) }}` }),
        to: addressOf(gr_no, seat),
        closeness,
      };
    });
  },
};

interface Seat {
  grade_id: number;
  grade: string;
  section_id: number | null;
  section: string | null;
}

/** The grade of the current year, or else of the last one, and the section of a day. */
async function seatsOf({ db }: Context, ids: number[], today: string): Promise<Map<number, Seat>> {
  const rows = await db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .leftJoin('student_section as own', (join) =>
      join.onRef('own.enrollment_id', '=', 'enrollment.id').on(effectiveOn(today)),
    )
    .leftJoin('academic_section as section', 'section.id', 'own.section_id')
    .where('enrollment.student_id', 'in', ids)
    .where('enrollment.is_standing', '=', true)
    .distinctOn('enrollment.student_id')
    .select(['enrollment.student_id', 'enrollment.grade_id', 'grade.name as grade', 'own.section_id'])
    .select(({ fn }) => fn<string | null>('academic_section_name', ['grade.name', 'section.name']).as('section'))
    .orderBy('enrollment.student_id')
    .orderBy(sql<SqlBool>`year.status = 'Current'`, 'desc')
    .orderBy('enrollment.joined_on', 'desc')
    .execute();
  return new Map(rows.map(({ student_id, ...seat }) => [student_id, seat]));
}

function addressOf(grNo: string, seat: Seat | undefined): string {
  const page = 'academic/section-student-mapping';
  if (!seat) return page;
  const at = { grade: String(seat.grade_id), section: String(seat.section_id ?? ''), search: grNo };
  return `${page}?${new URLSearchParams(at)}`;
}
