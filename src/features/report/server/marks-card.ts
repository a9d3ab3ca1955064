import { sql } from 'kysely';
import { reportCard } from '#features/staff/contract/cards.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { inPeriod, touchesPeriod } from '#kit/server/period.ts';

interface Marked {
  section: string;
  subject: string;
  pieces: number;
  own: number;
  grade: number | null;
}

const mostRows = 10;

/**
 * The average marks of the homework that was given while a member of staff taught a section a subject, beside those of
 * the whole grade on the same days. A colleague's days, cancelled homework and children who are no longer on its list
 * count nowhere. A grade with one section has nothing to compare.
 */
export const marksCard: ServedCard = {
  card: reportCard('marks', 'school', 15, text`Marks of homework`),
  read: async ({ db, now }, id, period) => {
    const { rows } = await sql<Marked>`
      with taught as (
        select own.section_id, own.subject_id, section.grade_id, section.academic_year_id,
          range_agg(daterange(own.effective_from, own.effective_to, '[]')) as days
        from academic_section_teacher own
        join academic_section section on section.id = own.section_id
        join academic_year year on year.id = own.academic_year_id
        where own.staff_id = ${id} and own.subject_id is not null
          and ${touchesPeriod(sql`own.effective_from`, sql`coalesce(own.effective_to, year.ends_on)`, period)}
        group by own.section_id, own.subject_id, section.grade_id, section.academic_year_id),
      marked as (
        select given.section_id, given.grade_id, given.academic_year_id, content.subject_id, given.id, given.assigned_on,
          result.student_id, result.marks, content.max_marks
        from homework_section given
        join homework content on content.id = given.homework_id
        join homework_result result on result.homework_section_id = given.id
        where result.marks is not null and content.max_marks > 0 and given.state in ('Published', 'Closed')
          and given.assigned_on <= ${toLocalDate(now())}::date
          and ${inPeriod(sql`given.assigned_on`, period)}
          and exists (select from taught where taught.grade_id = given.grade_id
            and taught.academic_year_id = given.academic_year_id and taught.subject_id = content.subject_id
            and taught.days @> given.assigned_on)),
      listed as (
        select homework_section_id, student_id from homework_roster(array(select distinct id from marked))
        where standing <> 'Not on the list')
      select academic_section_name(grade.name, section.name) as section, subject.name as subject,
        count(distinct marked.id) filter (where marked.section_id = taught.section_id)::integer as pieces,
        round(100 * sum(marked.marks) filter (where marked.section_id = taught.section_id)
          / sum(marked.max_marks) filter (where marked.section_id = taught.section_id))::integer as own,
        case when count(distinct marked.section_id) > 1
          then round(100 * sum(marked.marks) / sum(marked.max_marks))::integer end as grade
      from taught
      join academic_section section on section.id = taught.section_id
      join academic_grade grade on grade.id = taught.grade_id
      join configuration_subject subject on subject.id = taught.subject_id
      join marked on marked.grade_id = taught.grade_id and marked.academic_year_id = taught.academic_year_id
        and marked.subject_id = taught.subject_id and taught.days @> marked.assigned_on
      join listed on listed.homework_section_id = marked.id and listed.student_id = marked.student_id
      group by taught.section_id, section.name, grade.id, subject.id
      having count(*) filter (where marked.section_id = taught.section_id) > 0
      order by grade.position, lower(section.name), lower(subject.name) limit ${mostRows}`.execute(db);
    return {
      asOf: '',
      facts: [],
      table:
        rows.length === 0
          ? null
          : {
              heads: [text`Section`, text`Average`, text`Whole grade`, text`Marked`],
              rows: rows.map(({ section, subject, own, grade, pieces }) => [
                text`${{ section }}, ${{ subject }}`,
                verbatim(`${own} %`),
                verbatim(grade === null ? '' : `${grade} %`),
                verbatim(String(pieces)),
              ]),
            },
      to: '',
      empty: text`No marks in these days.`,
    };
  },
};
