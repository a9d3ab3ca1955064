import { sql } from 'kysely';
import { type Text, text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';

interface OwnSection {
  id: number;
  name: string;
  /** Class teacher, co-class teacher, or neither. */
  role: 'Class teacher' | 'Co-class teacher' | null;
  subjects: string;
  pupils: number;
}

/** The sections that a teacher leads or teaches today, each with its pupils; its name leads to their list. */
export const ownSectionsCard: DashboardCard = {
  title: text`My sections`,
  sets: ['classTeacher', 'subjectTeacher'],
  count: async ({ db, now, user }) => {
    const day = toLocalDate(now());
    const { rows } = await sql<OwnSection>`
      select section.id, academic_section_name(grade.name, section.name) as name,
        min(own.role) filter (where own.role <> 'Subject teacher') as role,
        coalesce(string_agg(subject.name, ', ' order by subject.name), '') as subjects,
        (select count(*)::integer from student_on(${day}) there where there.section_id = section.id) as pupils
      from academic_section_teacher own
      join academic_section section on section.id = own.section_id
      join academic_year year on year.id = section.academic_year_id and ${day}::date between year.starts_on and year.ends_on
      join academic_grade grade on grade.id = section.grade_id
      left join configuration_subject subject on subject.id = own.subject_id
      where own.staff_id = ${user.staffId}
        and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
      group by section.id, grade.id
      order by bool_or(own.role <> 'Subject teacher') desc, grade.position, lower(section.name)`.execute(db);
    return rows.map((section) => ({
      label: labelOf(section),
      value: section.pupils,
      to: `student/student-list?sectionId=${section.id}`,
    }));
  },
};

/** "Grade 5, A · class teacher, Mathematics". */
function labelOf({ name, role, subjects }: OwnSection): Text {
  if (role === 'Class teacher')
    return subjects
      ? text`${{ section: name }} · class teacher, ${{ subjects }}`
      : text`${{ section: name }} · class teacher`;
  if (role === 'Co-class teacher')
    return subjects
      ? text`${{ section: name }} · co-class teacher, ${{ subjects }}`
      : text`${{ section: name }} · co-class teacher`;
  return text`${{ section: name }} · ${{ subjects }}`;
}
