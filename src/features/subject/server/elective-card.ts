import { sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import { touchesPeriod } from '#kit/server/period.ts';

/** The electives of a student by the days of each enrolment that touches the period, the latest first. */
export const electives: ServedCard = {
  card: studentCard('elective', 'school', 20, text`Electives`, studentReaders),
  read: async ({ db }, id, period) => {
    const rows = await db
      .selectFrom('student_subject as chosen')
      .innerJoin('student_enrollment as enrollment', 'enrollment.id', 'chosen.enrollment_id')
      .innerJoin('academic_year as year', 'year.id', 'chosen.academic_year_id')
      .innerJoin('academic_grade as grade', 'grade.id', 'chosen.grade_id')
      .innerJoin('configuration_subject as subject', 'subject.id', 'chosen.subject_id')
      .where('chosen.student_id', '=', id)
      .where(touchesPeriod(sql`enrollment.joined_on`, sql`coalesce(enrollment.left_on, year.ends_on)`, period))
      .select([
        'year.name as year',
        'grade.name as grade',
        'subject.name',
        'enrollment.joined_on',
        'enrollment.left_on',
      ])
      .select('year.ends_on')
      .orderBy('year.starts_on', 'desc')
      .orderBy('subject.name')
      .limit(10)
      .execute();
    return {
      asOf: '',
      facts: [],
      table:
        rows.length === 0
          ? null
          : {
              heads: [text`Year`, text`Grade`, text`Subject`, text`From`, text`Until`],
              rows: rows.map(({ year, grade, name, joined_on, left_on, ends_on }) =>
                [year, grade, name, showDate(joined_on), showDate(left_on ?? ends_on)].map(verbatim),
              ),
            },
      to: '',
      empty: period.from ? text`No electives in these days.` : text`No electives yet.`,
    };
  },
};
