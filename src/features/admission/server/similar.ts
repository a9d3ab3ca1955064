import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

interface Family {
  fatherMobile: string;
  motherMobile: string;
  firstName: string;
  lastName: string;
  birthDate: string;
  academicYearId: number | null;
}

/**
 * Other inquiries of the family, by a parent's mobile number, and of the child, by name and birth date in one year and by
 * the Aadhaar number in the form of `except`, compared by its search hash.
 */
export async function findSimilar({ db }: UserContext, family: Family, except = 0) {
  const mobiles = [family.fatherMobile, family.motherMobile]
    .map(normalMobile)
    .filter((number) => /^[0-9]{10}$/.test(number));
  const { firstName, lastName, birthDate, academicYearId } = family;
  const isSameChild = sql<boolean>`(lower(coalesce(first_name, '')) = lower(${firstName})
    and lower(coalesce(last_name, '')) = lower(${lastName}) and birth_date = nullif(${birthDate}, '')::date
    and academic_year_id = ${academicYearId}::integer)`;
  const hasSameAadhaar = sql<boolean>`(inquiry.id = any(array(select other.inquiry_id
    from admission_basic_info own join admission_basic_info other on other.aadhaar_hash = own.aadhaar_hash
    where own.inquiry_id = ${except})))`;
  const rows = await db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .where('inquiry.id', '<>', except)
    .where(sql<boolean>`(father_mobile = any(${mobiles}) or mother_mobile = any(${mobiles}) or ${isSameChild} or ${hasSameAadhaar})`)
    .select(['inquiry.id', 'inquiry_no', 'first_name', 'last_name', 'birth_date', 'grade.name as grade'])
    .select(['year.name as year', 'father_first_name', 'father_last_name', 'father_mobile', 'father_email'])
    .select(['mother_first_name', 'mother_last_name', 'mother_mobile', 'mother_email'])
    .select([
      sql<InquiryState>`inquiry.state`.as('state'),
      sql<boolean>`coalesce(${isSameChild}, false)`.as('isSameChild'),
      hasSameAadhaar.as('hasSameAadhaar'),
    ])
    .orderBy('hasSameAadhaar', 'desc')
    .orderBy('isSameChild', 'desc')
    .orderBy('inquiry.id', 'desc')
    .limit(5)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    inquiryNo: row.inquiry_no,
    child: [row.first_name, row.last_name].filter(Boolean).join(' '),
    birthDate: row.birth_date ?? '',
    grade: row.grade,
    academicYear: row.year,
    state: row.state,
    isSameChild: row.isSameChild,
    hasSameAadhaar: row.hasSameAadhaar,
    parents: {
      fatherFirstName: row.father_first_name ?? '',
      fatherLastName: row.father_last_name ?? '',
      fatherMobile: row.father_mobile ?? '',
      fatherEmail: row.father_email ?? '',
      motherFirstName: row.mother_first_name ?? '',
      motherLastName: row.mother_last_name ?? '',
      motherMobile: row.mother_mobile ?? '',
      motherEmail: row.mother_email ?? '',
    },
  }));
}

/** Staff who work here and have the mobile number of a parent. */
export function findStaffParents(
  { db, now }: UserContext,
  { fatherMobile, motherMobile }: Pick<Family, 'fatherMobile' | 'motherMobile'>,
) {
  const mobiles = [fatherMobile, motherMobile].map(normalMobile).filter(Boolean);
  return db
    .selectFrom('staff')
    .where('mobile', '=', sql<string>`any(${mobiles})`)
    .where(sql<boolean>`exists (select from staff_employment spell where spell.staff_id = staff.id
      and coalesce(spell.last_day, 'infinity') >= ${toLocalDate(now())})`)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
}
