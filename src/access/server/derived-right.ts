import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { DerivedSet } from '../contract/grants.ts';

export interface DerivedRight {
  set: DerivedSet;
  /** "Class teacher of Grade 5, A since 1 Jun 2026". */
  source: Text;
}

interface Row {
  staffId: number;
  role: 'Class teacher' | 'Co-class teacher' | 'Subject teacher' | 'Substitute' | 'Head' | 'Assessor';
  /** The section or the department; '' for an assessor. */
  place: string;
  subject: string;
  /** Null for the head of a department. */
  from: string | null;
  /** Null without an end of its own. */
  until: string | null;
}

/** The permission sets that members of staff have today by the mapping, with their source, by staff id. */
export async function derivedRights(
  { db, now }: Pick<Context, 'db' | 'now'>,
  staffIds: readonly number[],
): Promise<Map<number, DerivedRight[]>> {
  const today = toLocalDate(now());
  const { rows } = await sql<Row>`
    select own.staff_id as "staffId", own.role, academic_section_name(grade.name, section.name) as place,
      coalesce(subject.name, '') as subject, own.effective_from as "from", own.effective_to as "until"
    from academic_section_teacher own
    join academic_year year on year.id = own.academic_year_id
    join academic_section section on section.id = own.section_id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    left join configuration_subject subject on subject.id = own.subject_id
    where own.staff_id = any(${staffIds}::integer[]) and own.effective_from <= ${today}
      and coalesce(own.effective_to, year.ends_on) >= ${today}
    union all
    select own.staff_id, 'Substitute', academic_section_name(grade.name, section.name), '', own.day, null
    from cover own join academic_section section on section.id = own.section_id
    join academic_grade grade on grade.id = section.grade_id
    where own.staff_id = any(${staffIds}::integer[]) and own.state = 'Given' and own.subject_id is null
      and own.day = ${today}::date
    union all
    select staff_id, 'Head', name, '', null, null from academic_department
    where staff_id = any(${staffIds}::integer[]) and is_active
    union all
    select staff_id, 'Assessor', '', '', min(starts_at)::date, max(ends_at)::date + 7 from admission_slot_assessor
    where staff_id = any(${staffIds}::integer[]) and ends_at > ${today}::date - 7 group by staff_id
    order by role, place, subject`.execute(db);
  return new Map([...Map.groupBy(rows, ({ staffId }) => staffId)].map(([staffId, own]) => [staffId, own.map(toRight)]));
}

function toRight({ role, place, subject, from, until }: Row): DerivedRight {
  if (role === 'Head') return { set: 'headOfDepartment', source: text`Head of ${{ department: place }}` };
  if (role === 'Assessor')
    return { set: 'assessor', source: text`Assessor of admissions until ${{ day: showDate(until ?? '') }}` };
  if (role === 'Substitute')
    return {
      set: 'substitute',
      source: text`Takes the register of ${{ section: place }} on ${{ day: showDate(from ?? '') }}`,
    };
  const days = { from: showDate(from ?? ''), until: until && showDate(until) };
  if (role === 'Subject teacher') return { set: 'subjectTeacher', source: teacherOf(subject, place, days) };
  return { set: 'classTeacher', source: role === 'Class teacher' ? leaderOf(place, days) : coLeaderOf(place, days) };
}

interface Days {
  from: string;
  until: string | null;
}

const leaderOf = (section: string, { from, until }: Days) =>
  until
    ? text`Class teacher of ${{ section }} from ${{ from }} until ${{ until }}`
    : text`Class teacher of ${{ section }} since ${{ from }}`;

const coLeaderOf = (section: string, { from, until }: Days) =>
  until
    ? text`Co-class teacher of ${{ section }} from ${{ from }} until ${{ until }}`
    : text`Co-class teacher of ${{ section }} since ${{ from }}`;

const teacherOf = (subject: string, section: string, { from, until }: Days) =>
  until
    ? text`Teacher of ${{ subject }} in ${{ section }} from ${{ from }} until ${{ until }}`
    : text`Teacher of ${{ subject }} in ${{ section }} since ${{ from }}`;
