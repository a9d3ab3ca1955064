import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsIn, toOutput, toWire } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { similar } from '../../contract/inquiry.ts';
import { parentFields } from '../../contract/record.ts';
import { isReached } from '../scope.ts';

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
 * the Aadhaar number in the form of `except`, compared by its search hash. Inquiries out of the user's reach are left out.
 */
export async function findSimilar({ db, user }: UserContext, family: Family, except = 0) {
  const mobiles = [family.fatherMobile, family.motherMobile]
    .map(normalMobile)
    .filter((number) => /^[0-9]{10}$/.test(number));
  const { firstName, lastName, birthDate, academicYearId } = family;
  const isSameChild = sql<boolean>`(birth_date = nullif(${birthDate}, '')::date
    and academic_year_id = ${academicYearId}::integer
    and names_fit(name_words(coalesce(first_name, '')), name_words(coalesce(last_name, '')), name_words(${firstName}),
      name_words(${lastName})) = 2)`;
  // Read first: within the condition below it would keep the indexes from being used.
  const sameAadhaar = await db
    .selectFrom('admission_basic_info as own')
    .innerJoin('admission_basic_info as other', 'other.aadhaar_hash', 'own.aadhaar_hash')
    .where('own.inquiry_id', '=', except)
    .where('other.inquiry_id', '<>', except)
    .select('other.inquiry_id as id')
    .execute();
  const hasSameAadhaar = sql<boolean>`(inquiry.id = any(${sameAadhaar.map(({ id }) => id)}::integer[]))`;
  const rows = await db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .where('inquiry.id', '<>', except)
    .where(isReached(user))
    .where(
      sql<boolean>`(father_mobile = any(${mobiles}) or mother_mobile = any(${mobiles}) or ${isSameChild} or ${hasSameAadhaar})`,
    )
    .select(['inquiry.id', 'inquiry_no', 'first_name', 'last_name', 'birth_date', 'grade.name as grade'])
    .select(['year.name as year', ...columnsIn('inquiry', parentFields)])
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
    ...toOutput(similar, row, {
      child: [row.first_name, row.last_name].filter(Boolean).join(' '),
      academicYear: row.year,
    }),
    parents: toWire(parentFields, row),
  }));
}

type Child = Pick<Family, 'firstName' | 'lastName' | 'birthDate' | 'academicYearId'>;

interface SameChild {
  id: number;
  inquiryNo: string;
  /** Its name is written as this child's. */
  isWrittenSo: boolean;
}

/**
 * For each child an inquiry in the same year with its name and birth date, if any: one whose name is written as the child's
 * before one whose name fits by the rule of all doors (`names_fit`), and of those the latest.
 */
export async function findSameChildren({ db, user }: UserContext, children: readonly Child[]) {
  const firstNames = children.map(({ firstName }) => firstName);
  const lastNames = children.map(({ lastName }) => lastName);
  const birthDates = children.map(({ birthDate }) => birthDate || null);
  const years = children.map(({ academicYearId }) => academicYearId);
  const { rows } = await sql<SameChild & { index: number }>`
    select distinct on (child.number) child.number::integer - 1 as index, inquiry.id, inquiry_no as "inquiryNo",
      same_text(coalesce(inquiry.first_name, '')) = same_text(child.first_name)
        and same_text(coalesce(inquiry.last_name, '')) = same_text(child.last_name) as "isWrittenSo"
    from unnest(${firstNames}::text[], ${lastNames}::text[], ${birthDates}::date[], ${years}::integer[])
      with ordinality as child (first_name, last_name, birth_date, academic_year_id, number)
    join admission_inquiry inquiry on inquiry.birth_date = child.birth_date
      and inquiry.academic_year_id = child.academic_year_id
      and names_fit(name_words(coalesce(inquiry.first_name, '')), name_words(coalesce(inquiry.last_name, '')),
        name_words(child.first_name), name_words(child.last_name)) = 2
      and ${isReached(user)}
    order by child.number, "isWrittenSo" desc, inquiry.id desc`.execute(db);
  const found = new Map(rows.map((row) => [row.index, row] as const));
  return children.map((_, index) => found.get(index));
}

type Mobiles = Pick<Family, 'fatherMobile' | 'motherMobile'>;

const mobilesOf = ({ fatherMobile, motherMobile }: Mobiles) =>
  [fatherMobile, motherMobile].map(normalMobile).filter(Boolean);

/** For each family the staff who work here and have the mobile number of a parent. */
export async function findStaffParentsOf({ db, now }: UserContext, families: readonly Mobiles[]) {
  const staff = await db
    .selectFrom('staff')
    .where('mobile', '=', sql<string>`any(${[...new Set(families.flatMap(mobilesOf))]}::text[])`)
    .where(sql<boolean>`exists (select from staff_employment spell where spell.staff_id = staff.id
      and coalesce(spell.last_day, 'infinity') >= ${toLocalDate(now())})`)
    .select(['id', 'name', 'mobile'])
    .orderBy('id')
    .execute();
  const byMobile = Map.groupBy(staff, ({ mobile }) => mobile);
  return families.map((family) =>
    [...new Set(mobilesOf(family))]
      .flatMap((mobile) => byMobile.get(mobile) ?? [])
      .map(({ id, name }) => ({ id, name }))
      .sort((one, other) => one.id - other.id),
  );
}

/** Staff who work here and have the mobile number of a parent. */
export async function findStaffParents(ctx: UserContext, family: Mobiles) {
  const [staff = []] = await findStaffParentsOf(ctx, [family]);
  return staff;
}
