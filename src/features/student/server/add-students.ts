import { type Insertable, sql } from 'kysely';
import type { Student } from '#database/types.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type EnrolmentChange, enrolmentHook } from '../contract/hooks.ts';
import { genderCodes, type genders } from '../contract/record.ts';
import { saveAadhaars } from './aadhaar.ts';
import { drawGrNumbers, grMessages } from './gr-number.ts';
import { matchGuardians, type NamedAdult } from './match-guardians.ts';
import { insertPlacements, lockSections, withPlacementMessages } from './placement.ts';

/** A known adult, or a new one, who may turn out to be known. */
export type NewGuardian = { relation: string; isPrimary: boolean } & (
  | { id: number }
  | { firstName: string; lastName: string; mobile: string; email: string }
);

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
  previousSchool?: { school: string; toClass: string };
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

export type Acting = Context & Partial<Pick<UserContext, 'user'>>;

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
    student_guardian_needs_primary: {
      field: 'guardianMobile',
      message: text`This adult can’t be called first. Enter another adult.`,
    },
    student_guardian_most_children: {
      field: 'guardianMobile',
      message: text`This adult already has 12 children here. Enter another adult.`,
    },
  },
};

/**
 * Adds students of one academic year: adults, GR numbers, enrolments and sections, in one transaction and in the order of
 * all locks: year, sections, adults, families, series, students.
 */
export const addStudents = (ctx: Acting, students: readonly NewStudent[]): Promise<AddedStudent[]> =>
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
    const adults = await findAdults(ctx, students);
    if (students.some(({ guardians, siblingId }) => guardians.length > 0 || siblingId !== undefined))
      await lockFamilies(ctx);
    const numbers = await drawNumbers(ctx, students);
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
    const others = await ask(
      ctx,
      enrolmentHook,
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
    const [block] = others.flatMap(({ output }) => output.blocks);
    if (block) throw new AppError('conflict', block);
    const schooled = students.flatMap(({ previousSchool }, index) =>
      previousSchool
        ? [{ student_id: ids[index] ?? 0, school: previousSchool.school, to_class: previousSchool.toClass }]
        : [],
    );
    if (schooled.length > 0) await db.insertInto('student_schooling').values(schooled).execute();
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
        },
      })),
    );
    return students.map((_, index) => {
      const id = ids[index] ?? 0;
      return { id, grNo: numbers[index] ?? '', enrollmentId: enrollmentOf.get(id) ?? 0 };
    });
  });

/** Adds adults to students who are there; a student without an adult to call first gets the row's. */
export async function addAdults(
  ctx: Acting,
  added: readonly { studentId: number; guardians: readonly NewGuardian[] }[],
) {
  if (added.length === 0) return;
  const adults = await findAdults(ctx, added);
  await lockFamilies(ctx);
  await withConstraintMessages(ctx, rules, () =>
    linkAdults(
      ctx,
      added.map(({ studentId }) => studentId),
      adults,
    ),
  );
}

/** Taken before links change; the database takes it again. */
export const lockFamilies = ({ db }: Pick<Context, 'db'>) =>
  sql`select pg_advisory_xact_lock(hashtext('student_family'))`.execute(db);

/** The given numbers, and the next numbers of each branch's series. */
async function drawNumbers(ctx: Context, students: readonly NewStudent[]): Promise<string[]> {
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

interface FoundAdult {
  /** The student's index. */
  child: number;
  /** Undefined for a new adult, who has the `key` of its row. */
  id: number | undefined;
  key: string;
  relation: string;
  isPrimary: boolean;
  named: NamedAdult | undefined;
}

const keyOf = ({ mobile, email, firstName, lastName, relation }: NamedAdult, child: number) =>
  mobile || email
    ? [mobile, email, firstName, lastName, relation].join('|').toLowerCase()
    : `${child}|${relation}|${firstName}`;

/** Who of the adults is known, locked so that another request does not add them too. */
async function findAdults(ctx: Acting, students: readonly Pick<NewStudent, 'guardians'>[]): Promise<FoundAdult[]> {
  const all = students.flatMap(({ guardians }, child) =>
    guardians.map((guardian) => ({
      child,
      relation: guardian.relation,
      isPrimary: guardian.isPrimary,
      id: 'id' in guardian ? guardian.id : undefined,
      named: 'id' in guardian ? undefined : { ...guardian, child },
    })),
  );
  const people = all.flatMap(({ named }) => named ?? []);
  const matches = people.length > 0 ? await matchGuardians(ctx, people) : [];
  // The key of the first of those who are one adult.
  const keys: string[] = [];
  for (const [index, person] of people.entries())
    keys.push(keys[matches[index]?.same ?? -1] ?? keyOf(person, person.child));
  return all.map(({ named, ...adult }) => {
    const at = named ? people.indexOf(named) : -1;
    return { ...adult, named, id: adult.id ?? matches[at]?.certain, key: keys[at] ?? '' };
  });
}

/** Father and mother are parents; the only other adult looks after the child, and any further one is a contact. */
const roleOf = ({ relation, isPrimary }: FoundAdult) =>
  relation === 'Father' || relation === 'Mother'
    ? 'Parent'
    : isPrimary || relation === 'Guardian'
      ? 'Guardian'
      : 'Contact';

/** Adds the new adults and links all of them to their children. */
async function linkAdults(ctx: Acting, ids: readonly number[], adults: readonly FoundAdult[]) {
  if (adults.length === 0) return;
  const { db } = ctx;
  const fresh = new Map<string, NamedAdult>();
  // Of several names of one adult the first is kept.
  for (const { id, key, named } of adults) if (id === undefined && named && !fresh.has(key)) fresh.set(key, named);
  const idOf = new Map<string, number>();
  if (fresh.size > 0) {
    // The ids are those of the values, in their order.
    const rows = await db
      .insertInto('guardian')
      .values(
        [...fresh.values()].map(({ firstName, lastName, mobile, email }) => ({
          first_name: firstName,
          last_name: lastName,
          mobile,
          email,
        })),
      )
      .returning('id')
      .execute();
    for (const [index, key] of [...fresh.keys()].entries()) idOf.set(key, rows[index]?.id ?? 0);
  }
  const relations = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Relation')
    .select(['id', 'name'])
    .execute();
  await db
    .insertInto('student_guardian')
    .values(
      adults.map((adult, index) => {
        const relation = relations.find(({ name }) => name === adult.relation);
        if (!relation) throw new AppError('conflict', inactiveMessage);
        const role = roleOf(adult);
        const earlier = adults.slice(0, index).filter(({ child }) => child === adult.child).length;
        return {
          student_id: ids[adult.child] ?? 0,
          guardian_id: adult.id ?? idOf.get(adult.key) ?? 0,
          relation_id: relation.id,
          role,
          is_primary: adult.isPrimary,
          contact_order: Math.min(earlier + 1, 9),
          may_collect: role !== 'Contact',
          receives_messages: role !== 'Contact',
        };
      }),
    )
    .onConflict((conflict) => conflict.constraint('student_guardian_once').doNothing())
    .execute();
}

/** Links the adults of brothers and sisters, the one who is called first too; contacts are of one child. */
async function linkAsSiblings({ db }: Acting, ids: readonly number[], students: readonly NewStudent[]) {
  const pairs = students.flatMap(({ siblingId }, index) => (siblingId ? [{ id: ids[index] ?? 0, siblingId }] : []));
  if (pairs.length === 0) return;
  await sql`
    insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, contact_order, may_collect,
      receives_messages, is_barred, restriction)
    select pair.child, guardian_id, relation_id, role, is_primary, contact_order, may_collect, receives_messages, is_barred,
      restriction
    from unnest(${pairs.map(({ id }) => id)}::integer[], ${pairs.map(({ siblingId }) => siblingId)}::integer[])
      as pair (child, sibling)
    join student_guardian link on link.student_id = pair.sibling and link.role <> 'Contact'
    on conflict on constraint student_guardian_once do nothing`.execute(db);
}
