import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { CertificateFacts } from './certificate-paper.ts';

interface OpenLeaving {
  id: number;
  enrollment_id: number;
  last_day: string;
}

/** What the register says of a student now: of a leaver on the last day, of others today. */
export async function readCertificateFacts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  leaving: OpenLeaving | undefined,
): Promise<CertificateFacts> {
  const day = leaving?.last_day ?? toLocalDate(now());
  const { rows } = await sql<Omit<CertificateFacts, 'lastDay'> & { lastDay: string }>`
    select student.gr_no as "grNo", student.udise_uid as "udiseUid", student.pen, student.name,
      ${parent('Father')} as father, ${parent('Mother')} as mother,
      coalesce(nationality.name, '') as nationality, coalesce(tongue.name, '') as "motherTongue",
      coalesce(religion.name, '') as religion,
      concat_ws(', ', nullif(student.caste, ''), nullif(student.sub_caste, ''), category.name) as caste,
      student.birth_place as "birthPlace", student.birth_date::text as "birthDate",
      coalesce((select concat_ws(', ', school, nullif(city, '')) from student_schooling where student_id = student.id
        order by id desc limit 1), '') as "lastSchool",
      student.admitted_on::text as "admittedOn", student.admitted_class as "admittedClass",
      coalesce(academic_section_name(grade.name, section.name), grade.name) as "currentClass",
      (select min(joined_on) from student_enrollment other
        where other.student_id = student.id and other.grade_id = enrollment.grade_id and other.status <> 'Cancelled'
          and other.joined_on <= ${day}::date)::text as since,
      year.name as year,
      coalesce(leaving.progress, '') as progress, coalesce(leaving.conduct, '') as conduct,
      coalesce(leaving.last_day::text, '') as "lastDay", coalesce(reason.name, '') as reason,
      coalesce(leaving.remark, '') as remark
    from student
    join lateral (
      select * from student_enrollment own where own.student_id = student.id and own.status <> 'Cancelled'
        and own.joined_on <= ${day}::date and (${leaving?.enrollment_id ?? null}::integer is null or own.id = ${leaving?.enrollment_id ?? null})
      order by own.joined_on desc limit 1) as enrollment on true
    join academic_year year on year.id = enrollment.academic_year_id
    join academic_grade grade on grade.id = enrollment.grade_id
    left join lateral (
      select * from student_section own where own.enrollment_id = enrollment.id and own.effective_from <= ${day}::date
      order by own.effective_from desc limit 1) as place on true
    left join academic_section section on section.id = place.section_id
    left join student_leaving leaving on leaving.id = ${leaving?.id ?? null}
    left join academic_lookup reason on reason.id = leaving.reason_id
    left join academic_lookup nationality on nationality.id = student.nationality_id
    left join academic_lookup religion on religion.id = student.religion_id
    left join academic_lookup category on category.id = student.caste_category_id
    left join academic_lookup tongue on tongue.id = student.mother_tongue_id
    where student.id = ${id}`.execute(db);
  const [facts] = rows;
  if (!facts) throw new AppError('conflict', text`This student was not enrolled yet.`);
  return facts;
}

/** The name of a parent, also of one who must not be contacted. */
const parent = (relation: string) => sql<string>`coalesce((
  select case when adult.is_deceased then 'Late ' else '' end || adult.name
  from student_guardian link join guardian adult on adult.id = link.guardian_id
  join academic_lookup kind on kind.id = link.relation_id and kind.kind = 'Relation' and kind.name = ${relation}
  where link.student_id = student.id order by link.contact_order, link.id limit 1), '')`;
