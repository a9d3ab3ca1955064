import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Grades that had seats for admission in the year and have none in the next one. */
const seats: YearEndLine = {
  key: 'admission.seats',
  isOfNext: true,
  title: text`Grades without seats for admission in the next year`,
  at: 'warns',
  fate: text`plan them`,
  act: text`Open`,
  sets: ['office', 'principal'],
  count: async ({ db, user }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with own as materialized (
        select grade.id, grade.name, grade.position,
          bool_or(seat.academic_year_id = ${year.next.id}) is not true as is_open
        from admission_seat seat join academic_grade grade on grade.id = seat.grade_id
        where seat.academic_year_id in (${year.id}, ${year.next.id}) and seat.total > 0
          and ${isCounted(year, sql`seat.branch_id`)}
        group by grade.id)
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from own where is_open order by position, id limit 3) as names
      from own`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    const mayPlan = ['principal', 'admissionHead'].some((set) => (user.sets as readonly string[]).includes(set));
    const to = mayPlan ? { to: `admission/process-admission?show=seats&academicYearId=${year.next.id}` } : {};
    return of === 0 ? undefined : { open, of, names: names.map(verbatim), ...to };
  },
};

export const admissionYearEnd = [seats];
