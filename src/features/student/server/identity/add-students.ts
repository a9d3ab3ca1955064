import type { Insertable } from 'kysely';
import type { Student } from '#database/types.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { EnrolmentChange } from '../../contract/hooks.ts';
import { genderCodes, type genders } from '../../contract/record.ts';
import { askUnblocked } from '../enrolment/ask-others.ts';
import { insertPlacements, lockSections, withPlacementMessages } from '../enrolment/placement.ts';
import {
  adultMessages,
  findAdults,
  linkAdults,
  linkAsSiblings,
  lockFamilies,
  type NewGuardian,
} from '../family/add-adults.ts';
import { saveAadhaars } from '../person/aadhaar.ts';
import { addPapers, type Papers } from '../person/add-papers.ts';
import { lockBirthDays } from './alike.ts';
import { drawGrNumbers, grMessages } from './gr-number.ts';

export interface NewStudent {
  firstName: string;
  middleName: string;
  lastName: string;
  gender: (typeof genders)[number];
  birthDate: string;
  admittedOn: string;
  /** The next of the branch's series if empty. */
  grNo: string;
  academicYearId: number;
  branchId: number;
  programId: number;
  gradeId: number;
  sectionId: number | null;
  /** The next of the section by default. */
  rollNo?: number | null;
  guardians: readonly NewGuardian[];
  /** Further columns of the student's row. */
  record?: Pick<Insertable<Student>, RecordColumn>;
  /** In clear; it is sealed with the row's id. */
  aadhaar?: string;
  papers?: Papers;
  /** The number of the admission form that the student comes from, for the log. */
  inquiryNo?: string;
  /** The child gets the adults of this brother or sister, with the same rights. */
  siblingId?: number;
}

type RecordColumn = Exclude<
  keyof Insertable<Student>,
  'id' | 'branch_id' | 'gr_no' | 'first_name' | 'middle_name' | 'last_name' | 'gender' | 'birth_date' | 'admitted_on'
>;

interface AddedStudent {
  id: number;
  grNo: string;
  enrollmentId: number;
}

const rules: ConstraintMessages = {
  table: 'student',
  fields: {},
  constraintMessages: {
    ...grMessages,
    student_aadhaar_unique: { field: 'aadhaar', message: text`Another student has this Aadhaar number.` },
    student_pen_unique: { field: 'pen', message: text`Another student has this number.` },
    student_apaar_unique: { field: 'apaar', message: text`Another student has this number.` },
    student_udise_uid_unique: { field: 'udiseUid', message: text`Another student has this number.` },
    student_admitted_after_birth: { field: 'admittedOn', message: text`Choose a day after the birth date.` },
    ...adultMessages,
  },
};

/**
 * Adds students of one academic year: adults, GR numbers, enrolments and sections, in one transaction and in the order of
 * all locks: year, sections, birth days, adults, families, series, students.
 */
export const addStudents = (
  ctx: ActingContext,
  students: readonly NewStudent[],
  /** Asks whether a child is there already, once no other act can add it. */
  ask?: () => Promise<unknown>,
): Promise<AddedStudent[]> =>
  withConstraintMessages(ctx, rules, async () => {
    const { db } = ctx;
    const yearId = students[0]?.academicYearId ?? 0;
    await lockYearForShare(ctx, yearId);
    const year = await db
      .selectFrom('academic_year')
      .where('id', '=', yearId)
      .select(['starts_on', 'ends_on'])
      .executeTakeFirstOrThrow();
    const late = students.find(({ admittedOn }) => admittedOn > year.ends_on);
    if (late) throw fieldRefusal('admittedOn', text`Choose a day in the academic year or before it.`);
    await lockSections(
      ctx,
      students.flatMap(({ sectionId }) => sectionId ?? []),
    );
    await lockBirthDays(
      ctx,
      students.map(({ birthDate }) => birthDate),
    );
    await ask?.();
    const adults = await findAdults(ctx, students);
    if (students.some(({ guardians, siblingId }) => guardians.length > 0 || siblingId !== undefined))
      await lockFamilies(ctx);
    const numbers = await numbersFor(ctx, students);
    const gradeNames = await db.selectFrom('academic_grade').select(['id', 'name']).execute();
    const rows = await db
      .insertInto('student')
      .values(
        students.map((student, index) => ({
          ...student.record,
          branch_id: student.branchId,
          gr_no: numbers[index] ?? '',
          first_name: student.firstName,
          middle_name: student.middleName,
          last_name: student.lastName,
          gender: genderCodes[student.gender],
          birth_date: student.birthDate,
          admitted_on: student.admittedOn,
          admitted_class: gradeNames.find(({ id }) => id === student.gradeId)?.name ?? '',
        })),
      )
      .returning(['id', 'branch_id', 'gr_no'])
      .execute();
    const idOf = new Map(rows.map(({ id, branch_id, gr_no }) => [`${branch_id} ${gr_no}`, id]));
    const ids = students.map(({ branchId }, index) => idOf.get(`${branchId} ${numbers[index]}`) ?? 0);
    await saveAadhaars(
      ctx,
      students.map(({ aadhaar = '' }, index) => ({ id: ids[index] ?? 0, aadhaar })),
    );
    const joinedOn = ({ admittedOn }: NewStudent) => (admittedOn > year.starts_on ? admittedOn : year.starts_on);
    const enrolled = await db
      .insertInto('student_enrollment')
      .values(
        students.map((student, index) => ({
          student_id: ids[index] ?? 0,
          academic_year_id: student.academicYearId,
          branch_id: student.branchId,
          program_id: student.programId,
          grade_id: student.gradeId,
          // A child who came in an earlier year is entered late.
          admission_type: student.admittedOn < year.starts_on ? 'Existing' : 'New',
          joined_on: joinedOn(student),
        })),
      )
      .returning(['id', 'student_id'])
      .execute();
    const enrollmentOf = new Map(enrolled.map(({ id, student_id }) => [student_id, id]));
    const seats = students.flatMap((student, index) =>
      student.sectionId === null
        ? []
        : [
            {
              from: joinedOn(student),
              enrollmentId: enrollmentOf.get(ids[index] ?? 0) ?? 0,
              sectionId: student.sectionId,
              ...(student.rollNo && { rollNo: student.rollNo }),
            },
          ],
    );
    // One statement for each first day, which is one day for most lists.
    for (const [from, placings] of Map.groupBy(seats, (seat) => seat.from))
      await withPlacementMessages(ctx, () => insertPlacements(ctx, placings, from));
    await linkAdults(ctx, ids, adults);
    await linkAsSiblings(ctx, ids, students);
    await askUnblocked(
      ctx,
      enrolled.map(
        ({ id, student_id }): EnrolmentChange => ({
          studentId: student_id,
          enrollmentId: id,
          yearId,
          kind: 'joined',
          day: joinedOn(students[ids.indexOf(student_id)] as NewStudent),
        }),
      ),
    );
    await addPapers(
      ctx,
      students.flatMap(({ papers }, index) => (papers ? [{ studentId: ids[index] ?? 0, ...papers }] : [])),
    );
    await auditAll(
      ctx,
      students.map((student, index) => ({
        action: 'student.created',
        entity: 'student',
        entityId: ids[index] ?? 0,
        version: 1,
        details: {
          Name: [student.firstName, student.middleName, student.lastName].filter(Boolean).join(' '),
          'GR number': numbers[index] ?? '',
          'Admitted on': student.admittedOn,
          ...(student.inquiryNo && { 'Inquiry number': student.inquiryNo }),
        },
      })),
    );
    return students.map((_, index) => {
      const id = ids[index] ?? 0;
      return { id, grNo: numbers[index] ?? '', enrollmentId: enrollmentOf.get(id) ?? 0 };
    });
  });

/** The given numbers, and the next numbers of each branch's series. */
async function numbersFor(ctx: Context, students: readonly NewStudent[]): Promise<string[]> {
  const numbers = students.map(({ grNo }) => grNo);
  const waiting = Map.groupBy(
    students.flatMap(({ branchId, grNo }, index) => (grNo === '' ? [{ branchId, index }] : [])),
    ({ branchId }) => branchId,
  );
  for (const [branchId, own] of [...waiting].sort(([a], [b]) => a - b)) {
    const free = await drawGrNumbers(ctx, branchId, own.length, numbers.filter(Boolean));
    for (const [at, { index }] of own.entries()) numbers[index] = free[at] ?? '';
  }
  return numbers;
}
