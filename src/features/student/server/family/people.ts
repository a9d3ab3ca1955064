import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { type alertLevels, type genders, genderWord } from '../../contract/record.ts';

type Reading = Pick<Context, 'db'>;

interface Rostered {
  studentId: number;
  enrollmentId: number;
  rollNo: number | null;
  name: string;
  grNo: string;
  gender: (typeof genders)[number];
  alert: string;
  alertLevel: '' | (typeof alertLevels)[number];
}

/** Who sits in a section on a day: by roll number, then by name. */
export async function rosterOf({ db }: Reading, sectionId: number, day: string): Promise<Rostered[]> {
  const { rows } = await sql<Omit<Rostered, 'gender'> & { gender: string }>`
    select there.student_id as "studentId", there.enrollment_id as "enrollmentId", there.roll_no as "rollNo", student.name,
      student.gr_no as "grNo", student.gender, student.alert, student.alert_level as "alertLevel"
    from student_on(${day}) there join student on student.id = there.student_id
    where there.section_id = ${sectionId}
    order by there.roll_no nulls last, student.sort_name, student.id`.execute(db);
  return rows.map((row) => ({ ...row, gender: genderWord(row.gender) }));
}

/** Whom to call first, whom to send messages to, who may collect the child, and whose household it is of. */
type Purpose = 'primary' | 'receiving' | 'collecting' | 'household';

interface Contact {
  guardianId: number;
  name: string;
  mobile: string;
  email: string;
  /** Those asked about, in the order of their ids. */
  children: { studentId: number; name: string; relation: string; isPrimary: boolean; contactOrder: number }[];
}

const serves: Readonly<Record<Purpose, RawBuilder<boolean>>> = {
  primary: sql`link.is_primary`,
  receiving: sql`link.receives_messages`,
  collecting: sql`link.may_collect`,
  household: sql`link.role <> 'Contact'`,
};

/** The adults of these children for a purpose, each once; never one who is barred from contact or deceased. */
export async function contactsOf({ db }: Reading, studentIds: readonly number[], purpose: Purpose): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select adult.id as "guardianId", adult.name, adult.mobile, adult.email,
      json_agg(json_build_object('studentId', student.id, 'name', student.name, 'relation', relation.name,
        'isPrimary', link.is_primary, 'contactOrder', link.contact_order) order by student.id) as children
    from student_guardian link
    join guardian adult on adult.id = link.guardian_id
    join student on student.id = link.student_id
    join academic_lookup relation on relation.id = link.relation_id
    where link.student_id = any(${studentIds}::integer[]) and ${serves[purpose]}
      and not link.is_barred and not adult.is_deceased
    group by adult.id
    order by adult.id`.execute(db);
  return rows;
}

interface Sibling {
  /** The student or guardian asked about. */
  of: number;
  studentId: number;
  name: string;
  grNo: string;
  birthDate: string;
  /** The first day of enrolment; null for a child who was never enrolled. */
  firstDay: string | null;
  /** Null while the child is here. */
  lastDay: string | null;
}

/**
 * The other children of each student's family; or all children in the families of guardians, for a child who is not
 * added yet. Those who left are among them, with their last day. Eldest first.
 */
export async function siblingsOf(
  { db }: Reading,
  asked: { studentIds: readonly number[] } | { guardianIds: readonly number[] },
): Promise<Sibling[]> {
  const families =
    'studentIds' in asked
      ? sql`select id as of, family_id, id as self from student where id = any(${asked.studentIds}::integer[])`
      : sql`select distinct link.guardian_id as of, child.family_id, null::integer as self
          from student_guardian link join student child on child.id = link.student_id
          where link.guardian_id = any(${asked.guardianIds}::integer[]) and link.role <> 'Contact'`;
  const { rows } = await sql<Sibling>`
    select family.of, student.id as "studentId", student.name, student.gr_no as "grNo", student.birth_date as "birthDate",
      (select min(joined_on) from student_enrollment enrollment
        where enrollment.student_id = student.id and enrollment.status <> 'Cancelled') as "firstDay",
      student.left_on as "lastDay"
    from (${families}) as family join student on student.family_id = family.family_id
    where student.id is distinct from family.self
    order by family.of, student.birth_date, student.id`.execute(db);
  return rows;
}
