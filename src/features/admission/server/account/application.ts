import { sql } from 'kysely';
import { ageFor } from '#features/academic/contract/age.ts';
import {
  type FormAdult,
  type FormChild,
  type FormFiles,
  listFormFiles,
  toChildren,
} from '#features/admission-form/api.ts';
import { requiredDocuments } from '#features/admission-form/contract/document.ts';
import { findKnownChildren, type KnownChild, matchGuardians } from '#features/student/api.ts';
import { isAadhaar } from '#kit/contract/aadhaar.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { Context } from '#kit/server/context.ts';

/** An adult of a form, and the adults of the school who may be the same. */
export interface MatchedAdult extends FormAdult {
  certain: number | undefined;
  likely: number[];
}

type InquiryRow = Awaited<ReturnType<typeof readInquiries>>[number];

/** An application with everything that its account is made of. */
export interface Application {
  row: InquiryRow;
  /** Undefined while the form lacks its first two pages. */
  child: FormChild | undefined;
  files: FormFiles | undefined;
  adults: MatchedAdult[];
  /** A student who may be this child: one who left, or else one who is here. */
  leaver: KnownChild | null;
  here: KnownChild | null;
  /** Words of the school's lists for what the family wrote. */
  record: {
    nationality_id: number | null;
    religion_id: number | null;
    mother_tongue_id: number | null;
    category_id: number | null;
  };
  /** The UID that the family has typed, where it looks like one and no student has it; '' otherwise. */
  udiseUid: string;
  /** Why no account can be created. */
  blocks: Text[];
  /** What must be decided by a person, so that no run creates the account. */
  needs: Text[];
  /** What the record of the student will lack. */
  missing: Text[];
}

/** The student's category by the quota of the application. */
const categories: Record<string, string> = {
  General: 'General',
  Sibling: 'General',
  RTE: 'RTE',
  Staff: 'Staff child',
  Management: 'Management',
};

const readInquiries = ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('academic_year as year', 'year.id', 'inquiry.academic_year_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'inquiry.branch_id')
    .innerJoin('academic_program as program', 'program.id', 'inquiry.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'inquiry.grade_id')
    .leftJoin('admission_health as health', 'health.inquiry_id', 'inquiry.id')
    .where('inquiry.id', '=', sql<number>`any (${ids}::integer[])`)
    .select(['inquiry.id', 'inquiry.version', 'inquiry.inquiry_no', 'inquiry.state', 'inquiry.student_id'])
    .select(['inquiry.academic_year_id', 'inquiry.branch_id', 'inquiry.program_id', 'inquiry.grade_id'])
    .select(['inquiry.quota', 'inquiry.gender', 'inquiry.age_reason', 'inquiry.first_name', 'inquiry.last_name'])
    .select(['inquiry.sibling_student_id', 'inquiry.staff_parent_id', 'health.version as health'])
    .select(['year.name as year', 'year.starts_on', 'year.ends_on', 'year.status as year_status', 'year.age_cutoff_on'])
    .select(['branch.name as branch', 'program.name as program', 'grade.name as grade'])
    .select(['grade.min_age_months', 'grade.max_age_months'])
    .select(sql<boolean>`(branch.is_active and program.is_active and grade.is_active)`.as('is_place_active'))
    .orderBy('inquiry.id')
    .execute();

/** Matching compares the adults of one batch with each other, so that a batch stays small. */
const atOnce = 100;

/** Applications by their ids, in ascending order. A preview of many does not lock the numbers of their adults. */
export async function readApplications(ctx: Context, ids: readonly number[], locks: boolean): Promise<Application[]> {
  const read: Application[] = [];
  for (let done = 0; done < ids.length; done += atOnce)
    read.push(...(await readBatch(ctx, ids.slice(done, done + atOnce), locks)));
  return read;
}

async function readBatch(ctx: Context, ids: readonly number[], locks: boolean): Promise<Application[]> {
  const rows = await readInquiries(ctx, ids);
  const children = await toChildren(ctx, ids);
  const files = await listFormFiles(ctx, ids);
  const words = await readWords(ctx);
  const named = rows.flatMap(({ id }) => children.get(id) ?? []);
  const staffAdults = await findStaff(ctx, rows, children);
  const people = named.flatMap((child) =>
    child.adults.map((adult) => ({ ...adult, relation: words.relationOf(adult.relation), child: child.inquiryId })),
  );
  const matches = await matchGuardians(ctx, people, locks);
  const ofSiblings = await readAdultsOf(
    ctx,
    rows.flatMap(({ sibling_student_id }) => sibling_student_id ?? []),
  );
  const known = await findKnownChildren(
    ctx,
    named.map((child) => ({ ...child, mobiles: child.adults.map(({ mobile }) => mobile) })),
  );
  const uids = await readUids(ctx, named.map(uidOf));
  return rows.map((row) => {
    const child = children.get(row.id);
    const place = child ? named.indexOf(child) : -1;
    const adults = people.flatMap(({ child: of, ...adult }, index) => {
      if (of !== row.id) return [];
      const { certain, likely = [] } = matches[index] ?? {};
      // The adults of the brother or sister whom the family names come first.
      const sibling = ofSiblings.filter(
        (own) =>
          own.student_id === row.sibling_student_id && own.relation === adult.relation && own.guardian_id !== certain,
      );
      const offered = certain === undefined ? [...new Set([...sibling.map((own) => own.guardian_id), ...likely])] : [];
      const staffId = staffAdults.get(`${row.id} ${adult.part}`);
      return [
        { ...adult, ...(staffId && { details: { ...adult.details, staff_id: staffId } }), certain, likely: offered },
      ];
    });
    const uid = child ? uidOf(child) : '';
    const isUidTaken = uids.has(uid);
    const { leaver = null, here = null } = known[place] ?? {};
    // A child who left and is here again under another number is asked about once.
    const found = { row, child, files: files.get(row.id), adults, leaver, here: leaver ? null : here };
    return {
      ...found,
      record: {
        nationality_id: words.find('Nationality', child?.nationality),
        religion_id: words.find('Religion', child?.religion),
        mother_tongue_id: words.find('Language', child?.homeLanguage),
        category_id: words.find('Student category', categories[row.quota]),
      },
      udiseUid: isUidTaken ? '' : uid,
      blocks: blocksOf(row, child, known[place]?.isTaken ?? false),
      needs: needsOf(found),
      missing: [
        ...missingOf(found, words),
        ...(isUidTaken ? [text`UDISE student UID, as another student has ${{ uid }}`] : []),
      ],
    };
  });
}

/** Families also write "NA" for a UID. */
const uidOf = ({ studentUid }: FormChild) =>
  /^[0-9A-Za-z]{8,20}$/.test(studentUid) && /[0-9]{6}/.test(studentUid) ? studentUid : '';

/** Those of the UIDs that students have. */
async function readUids({ db }: Pick<Context, 'db'>, uids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('student')
    .where('udise_uid', '<>', '')
    .where('udise_uid', '=', sql<string>`any (${uids.filter(Boolean)}::text[])`)
    .select('udise_uid')
    .execute();
  return new Set(rows.map(({ udise_uid }) => udise_uid));
}

/** The words of the school's lists, compared as people write them. */
async function readWords({ db }: Pick<Context, 'db'>) {
  const rows = await db
    .selectFrom('academic_lookup')
    .where('kind', 'in', ['Nationality', 'Religion', 'Language', 'Student category', 'Relation'])
    .where('is_active', '=', true)
    .select(['id', 'kind', 'name'])
    .execute();
  const keyOf = (word: string) => word.trim().toLowerCase();
  const idOf = new Map(rows.map(({ id, kind, name }) => [`${kind} ${keyOf(name)}`, id]));
  const nameOf = new Map(rows.flatMap(({ kind, name }) => (kind === 'Relation' ? [[keyOf(name), name]] : [])));
  return {
    find: (kind: string, word = '') => idOf.get(`${kind} ${keyOf(word)}`) ?? null,
    relationOf: (word: string) => nameOf.get(keyOf(word)) ?? 'Other',
  };
}
type ListWords = Awaited<ReturnType<typeof readWords>>;

/** The members of staff whom forms name as a parent, by inquiry and part: the parent whose first name is theirs. */
async function findStaff(
  { db }: Pick<Context, 'db'>,
  rows: readonly InquiryRow[],
  children: ReadonlyMap<number, FormChild>,
): Promise<Map<string, number>> {
  const named = rows.flatMap(({ id, staff_parent_id }) =>
    (children.get(id)?.adults ?? [])
      .filter(({ role }) => role === 'Parent')
      .map(({ part, firstName }) => ({
        key: `${id} ${part}`,
        staffId: staff_parent_id,
        employeeNo: children.get(id)?.employeeNo ?? '',
        firstName,
      })),
  );
  const asked = named.filter(({ staffId, employeeNo }) => staffId !== null || employeeNo !== '');
  if (asked.length === 0) return new Map();
  const { rows: found } = await sql<{ key: string; id: number }>`
    select asked.key, staff.id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as asked (key text, "staffId" integer, "employeeNo" text, "firstName" text)
    join staff on staff.id = asked."staffId" or (asked."employeeNo" <> '' and staff.employee_number = asked."employeeNo")
    where same_text(staff.first_name) = same_text(asked."firstName")`.execute(db);
  return new Map(found.map(({ key, id }) => [key, id]));
}

const readAdultsOf = ({ db }: Pick<Context, 'db'>, studentIds: readonly number[]) =>
  db
    .selectFrom('student_guardian as link')
    .innerJoin('academic_lookup as relation', 'relation.id', 'link.relation_id')
    .where('link.student_id', '=', sql<number>`any (${studentIds}::integer[])`)
    .where('link.role', '<>', 'Contact')
    .select(['link.student_id', 'link.guardian_id', 'relation.name as relation'])
    .orderBy('link.guardian_id')
    .execute();

function blocksOf(row: InquiryRow, child: FormChild | undefined, isTaken: boolean): Text[] {
  return [
    ...(child ? [] : [text`The form isn’t complete.`]),
    ...(isTaken ? [text`Another student has this Aadhaar number.`] : []),
    ...(row.year_status === 'Closed' ? [text`${{ year: row.year }} is closed.`] : []),
    ...(row.is_place_active ? [] : [text`The grade, program or branch is inactive.`]),
  ];
}

type Found = Pick<Application, 'row' | 'child' | 'files' | 'adults' | 'leaver' | 'here'>;

function needsOf({ row, child, files, adults, leaver, here }: Found): Text[] {
  const undecided = adults.filter(({ certain, likely }) => certain === undefined && likely.length > 0);
  const age = child && ageFor(child.birthDate, { ...row, name: row.grade }, row.age_cutoff_on ?? row.starts_on);
  const isRequired = ({ name }: { name: string }) => (requiredDocuments as readonly string[]).includes(name);
  return [
    ...(undecided.length > 0 ? [text`Choose whether ${{ name: nameOf(undecided[0]) }} is a known adult.`] : []),
    ...(leaver ? [text`${{ name: leaver.name }} was here before. Choose whether this is the same child.`] : []),
    ...(here
      ? [
          text`${{ name: here.name }}, GR ${{ number: here.gr_no }}, is at the school. Choose whether this is the same child.`,
        ]
      : []),
    ...(row.gender === null ? [text`Choose the gender.`] : []),
    ...(child?.isDivorced ? [text`The parents live apart. Choose whether one is barred from contact.`] : []),
    ...(age?.isOutside && row.age_reason === '' ? [text`The age needs a reason.`] : []),
    ...((files?.documents ?? []).some((document) => isRequired(document) && document.status !== 'Verified')
      ? [text`A document is neither verified nor waived.`]
      : []),
  ];
}

export const nameOf = (adult: Pick<FormAdult, 'firstName' | 'lastName'> | undefined) =>
  [adult?.firstName, adult?.lastName].filter(Boolean).join(' ');

/** Families whose child has one name type it twice, since the form asks for both. */
export const repeatsName = (child: { firstName: string; lastName: string } | undefined) =>
  child !== undefined && child.lastName !== '' && sameText(child.firstName) === sameText(child.lastName);

function missingOf({ child, files }: Found, words: ListWords): Text[] {
  if (!child) return [];
  const has = (name: string) =>
    files?.documents.some((document) => document.name === name && document.status !== 'Rejected');
  const unlisted = (kind: string, word: string) => word !== '' && words.find(kind, word) === null;
  return [
    ...(isAadhaar(child.aadhaar) ? [] : [text`Aadhaar number`]),
    ...requiredDocuments.flatMap((name) => {
      if (has(name)) return [];
      const due = files?.waived.find((waiver) => waiver.name === name)?.dueOn;
      return [due ? text`${{ name }}, due on ${{ day: showDate(due) }}` : verbatim(name)];
    }),
    ...(unlisted('Nationality', child.nationality)
      ? [text`Nationality: “${{ word: child.nationality }}” is not in the school’s list`]
      : []),
    ...(unlisted('Religion', child.religion)
      ? [text`Religion: “${{ word: child.religion }}” is not in the school’s list`]
      : []),
  ];
}
