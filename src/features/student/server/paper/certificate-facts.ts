import { sql } from 'kysely';
import { readLocalLanguage } from '#features/school/api.ts';
import type { LocalLanguage } from '#features/school/contract/local-language.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** What a certificate says, as it was when it was issued; an empty text is left out. */
export interface CertificateFacts {
  grNo: string;
  udiseUid: string;
  pen: string;
  name: string;
  father: string;
  mother: string;
  nationality: string;
  motherTongue: string;
  religion: string;
  caste: string;
  birthPlace: string;
  birthDate: string;
  lastSchool: string;
  admittedOn: string;
  admittedClass: string;
  /** The class of the last day or of today, and the first day in its grade. */
  currentClass: string;
  since: string;
  year: string;
  progress: string;
  conduct: string;
  /** '' while the student is enrolled. */
  lastDay: string;
  reason: string;
  remark: string;
  /** Corrections of the entries that are printed; absent on certificates from before there were any. */
  corrections?: PrintedCorrection[];
  /** Absent on certificates from before they had a language. */
  local?: LocalFacts;
}

/** What the register has in its own script; '' for a name of which a part is missing there. */
export interface LocalFacts {
  language: LocalLanguage;
  name: string;
  father: string;
  mother: string;
  birthPlace: string;
  /** The parents who have died. */
  late: string[];
}

export interface PrintedCorrection {
  field: string;
  was: string;
  on: string;
  orderNo: string;
  orderOn: string;
  authority: string;
}

interface Asked {
  id: number;
  /** The leaving that has ended; null while the student is enrolled. */
  leavingId: number | null;
}

/** What the register says of students now: of leavers on the last day, of others today. Without those never enrolled. */
export async function readCertificateFacts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  asked: readonly Asked[],
): Promise<Map<number, CertificateFacts>> {
  const language = await readLocalLanguage({ db });
  const { rows } = await sql<{ id: number; facts: CertificateFacts }>`
    select student.id, jsonb_build_object(
      'grNo', student.gr_no, 'udiseUid', student.udise_uid, 'pen', student.pen, 'name', student.name,
      'father', coalesce(father.name, ''), 'mother', coalesce(mother.name, ''),
      'local', jsonb_build_object('language', ${language}::text, 'name', ${localName('student')},
        'father', coalesce(father.local, ''), 'mother', coalesce(mother.local, ''), 'birthPlace', student.birth_place_local,
        'late', to_jsonb(array_remove(array[case when father.is_late then 'father' end, case when mother.is_late then 'mother' end], null))),
      'nationality', coalesce(nationality.name, ''), 'motherTongue', coalesce(tongue.name, ''),
      'religion', coalesce(religion.name, ''),
      'caste', concat_ws(', ', nullif(student.caste, ''), nullif(student.sub_caste, ''), category.name),
      'birthPlace', student.birth_place, 'birthDate', student.birth_date::text,
      'lastSchool', coalesce((select concat_ws(', ', school, nullif(city, '')) from student_schooling where student_id = student.id
        order by id desc limit 1), ''),
      'admittedOn', student.admitted_on::text, 'admittedClass', student.admitted_class,
      'currentClass', place.name,
      'since', (select min(joined_on) from student_enrollment other
        where other.student_id = student.id and other.grade_id = place.grade_id and other.status <> 'Cancelled'
          and other.joined_on <= asked.day)::text,
      'year', year.name,
      'progress', coalesce(leaving.progress, ''), 'conduct', coalesce(leaving.conduct, ''),
      'lastDay', coalesce(leaving.last_day::text, ''), 'reason', coalesce(reason.name, ''),
      'remark', coalesce(leaving.remark, ''),
      'corrections', coalesce((select jsonb_agg(jsonb_build_object('field', field, 'was', old_value,
          'on', (done_at at time zone 'Asia/Kolkata')::date::text, 'orderNo', order_no, 'orderOn', coalesce(order_on::text, ''),
          'authority', authority) order by id)
        from student_correction where student_id = student.id and status = 'Done' and is_printed), '[]')) as facts
    from (select given.id, given.leaving_id, coalesce(own.last_day, ${toLocalDate(now())}::date) as day
      from unnest(${asked.map(({ id }) => id)}::integer[], ${asked.map(({ leavingId }) => leavingId)}::integer[]) as given (id, leaving_id)
      left join student_leaving own on own.id = given.leaving_id) as asked
    join student on student.id = asked.id
    left join student_leaving leaving on leaving.id = asked.leaving_id
    join lateral student_place(student.id, asked.day) place on place.tense <> 'future'
    join academic_year year on year.id = place.academic_year_id
    left join lateral ${parent('Father')} father on true
    left join lateral ${parent('Mother')} mother on true
    left join academic_lookup reason on reason.id = leaving.reason_id
    left join academic_lookup nationality on nationality.id = student.nationality_id
    left join academic_lookup religion on religion.id = student.religion_id
    left join academic_lookup category on category.id = student.caste_category_id
    left join academic_lookup tongue on tongue.id = student.mother_tongue_id`.execute(db);
  return new Map(rows.map(({ id, facts }) => [id, facts]));
}

/** The name of a parent, also of one who must not be contacted. */
const parent = (relation: string) => sql`(
  select case when adult.is_deceased then 'Late ' else '' end || adult.name as name, adult.is_deceased as is_late,
    ${localName('adult')} as local
  from student_guardian link join guardian adult on adult.id = link.guardian_id
  join academic_lookup kind on kind.id = link.relation_id and kind.kind = 'Relation' and kind.name = ${relation}
  where link.student_id = student.id order by link.contact_order, link.id limit 1)`;

/** The name of a query's person in the register's own script, where each of its parts is written in it. */
const localName = (who: 'student' | 'adult') => {
  const part = (name: string) => sql.ref(`${who}.${name}`);
  const lacks = (name: string) => sql`(${part(name)} <> '' and ${part(`${name}_local`)} = '')`;
  return sql`case when ${lacks('first_name')} or ${lacks('middle_name')} or ${lacks('last_name')} then ''
    else concat_ws(' ', nullif(${part('first_name_local')}, ''), nullif(${part('middle_name_local')}, ''),
      nullif(${part('last_name_local')}, '')) end`;
};
