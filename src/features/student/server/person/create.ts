import { sql } from 'kysely';
import { studentKeepers } from '#access/contract/grants.ts';
import { inScope, reachesBranch } from '#access/server/scope.ts';
import { ageFor } from '#features/academic/contract/age.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { addStudents, sectionsWithSeats } from '../../api.ts';
import { addStudentApi } from '../../contract/add.ts';
import { genderCodes } from '../../contract/record.ts';
import { auditFound, countQuestion, describeAdults, familiesOf, refuseKnownNumber } from '../family/known-adult.ts';
import { matchGuardians, type NamedAdult } from '../family/match-guardians.ts';
import type { NewStudent } from '../identity/add-students.ts';
import { alikeStudents, describeAlike, keepNotSame, type NamedChild } from '../identity/alike.ts';
import { requireStudent } from '../visible.ts';

type Input = Parameters<Handler<typeof addStudentApi.create>>[1];

const needed = text`This field is required.`;
const chooseAgain = text`Choose one from the list.`;

const create: Handler<typeof addStudentApi.create> = async (ctx, input) => {
  const { firstName, middleName, lastName, gender, birthDate, admittedOn, grNo } = input;
  const place = await findPlace(ctx, input);
  const child = { firstName, middleName, lastName, gender, birthDate, admittedOn, grNo };
  const { siblingId } = input;
  if (siblingId !== null) await requireStudent(ctx, siblingId, studentKeepers);
  const guardian = siblingId === null ? await findGuardian(ctx, input) : undefined;
  const guardians = guardian ? [guardian] : [];
  let others: number[] = [];
  const [added] = await addStudents(
    ctx,
    [{ ...child, ...place, guardians, ...(siblingId !== null && { siblingId }) }],
    async () => {
      others = await refuseAlike(ctx, input, place.branchId);
    },
  );
  if (!added) throw new AppError('conflict', chooseAgain);
  if (others.length > 0) await keepNotSame(ctx, added.id, others);
  return { id: added.id, grNo: added.grNo };
};

/** The year of today. */
const yearOf = ({ now }: Pick<UserContext, 'now'>) => sql<number>`academic_year_on(${toLocalDate(now())}::date)`;

/** The section's place, or the one that was chosen without a section; within the user's branches. */
async function findPlace(ctx: UserContext, { gradeId, sectionId, branchId, programId }: Input) {
  const { db, user } = ctx;
  const year = await db.selectFrom('academic_year').where('id', '=', yearOf(ctx)).select('id').executeTakeFirst();
  if (!year) throw new AppError('conflict', text`There is no academic year. Add one in the Academic Master.`);
  if (sectionId !== null) {
    const section = await db
      .selectFrom('academic_section as section')
      .where('id', '=', sectionId)
      .where('academic_year_id', '=', year.id)
      .where('grade_id', '=', gradeId)
      .where('is_active', '=', true)
      .where(inScope(user, studentKeepers, { branch: sql`section.branch_id` }))
      .select(['academic_year_id', 'branch_id', 'program_id'])
      .executeTakeFirst();
    if (!section) throw fieldRefusal('sectionId', chooseAgain);
    return {
      academicYearId: section.academic_year_id,
      branchId: section.branch_id,
      programId: section.program_id,
      gradeId,
      sectionId,
    };
  }
  if (branchId === null) throw fieldRefusal('branchId', needed);
  if (programId === null) throw fieldRefusal('programId', needed);
  const isOpen = async (table: 'academic_branch' | 'academic_program' | 'academic_grade', id: number) =>
    (await db.selectFrom(table).where('id', '=', id).where('is_active', '=', true).select('id').executeTakeFirst()) !==
    undefined;
  if (!(await isOpen('academic_branch', branchId))) throw fieldRefusal('branchId', inactiveMessage);
  const reached = await db
    .selectFrom('academic_branch as branch')
    .where('id', '=', branchId)
    .where(inScope(user, studentKeepers, { branch: sql`branch.id` }))
    .select('id')
    .executeTakeFirst();
  if (!reached) throw fieldRefusal('branchId', text`Choose one of your branches.`);
  if (!(await isOpen('academic_program', programId))) throw fieldRefusal('programId', inactiveMessage);
  if (!(await isOpen('academic_grade', gradeId))) throw fieldRefusal('gradeId', inactiveMessage);
  return { academicYearId: year.id, branchId, programId, gradeId, sectionId: null };
}

/** The adult of the form; nobody where neither a number nor a name is entered. */
async function findGuardian(ctx: UserContext, input: Input): Promise<NewStudent['guardians'][number] | undefined> {
  const { guardianId, guardianMobile: mobile, guardianRelationId, middleName, lastName } = input;
  if (guardianId === null && mobile === '' && input.guardianFirstName === '') return undefined;
  const relation = await ctx.db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Relation')
    .where('is_active', '=', true)
    .$if(guardianRelationId !== null, (query) => query.where('id', '=', guardianRelationId))
    .$if(guardianRelationId === null && guardianId === null, (query) => query.where('name', '=', 'Father'))
    // What a known adult is to the other children.
    .$if(guardianRelationId === null && guardianId !== null, (query) =>
      query.where('id', 'in', (from) =>
        from.selectFrom('student_guardian').where('guardian_id', '=', guardianId).select('relation_id'),
      ),
    )
    .select('name')
    .orderBy('id')
    .executeTakeFirst();
  if (!relation) throw fieldRefusal('guardianRelationId', inactiveMessage);
  const named = { relation: relation.name, isPrimary: true };
  if (guardianId === null) {
    // A child's middle name is the father's first name.
    const firstName = input.guardianFirstName || (relation.name === 'Father' ? middleName : '');
    if (firstName === '') throw fieldRefusal('guardianFirstName', needed);
    const adult = { firstName, lastName: input.guardianLastName || lastName, mobile, email: '' };
    if (!input.isNewAdult) await refuseKnown(ctx, { ...adult, relation: relation.name });
    return { ...named, ...adult };
  }
  // Only those who know the number may take the adult.
  const known = await ctx.db
    .selectFrom('guardian')
    .where('id', '=', guardianId)
    .where('mobile', '=', mobile)
    .where('mobile', '<>', '')
    .where('merged_into_id', 'is', null)
    .select('id')
    .executeTakeFirst();
  if (!known) throw fieldRefusal('guardianMobile', chooseAgain);
  return { ...named, id: known.id };
}

async function refuseKnown(ctx: UserContext, adult: Omit<NamedAdult, 'child'>) {
  const [match] = await matchGuardians(ctx, [{ ...adult, child: 0 }], false);
  if (match?.certain === undefined) await refuseKnownNumber(ctx, adult.mobile, 'guardianMobile');
}

/** Asked behind the locks: the same child may have been added a moment ago. Returns those who are other children. */
async function refuseAlike(ctx: UserContext, input: Input, branchId: number) {
  const { isOtherChild, seenIds, guardianMobile } = input;
  const { offered } = await findAlikeStudents(ctx, { ...input, branchId, mobiles: [guardianMobile] });
  const isAnswered = (id: number) => isOtherChild && (seenIds === undefined || seenIds.includes(id));
  const open = offered.find(({ id, isAsked }) => isAsked && !isAnswered(id));
  if (!open) return offered.filter(({ isAsked }) => isAsked).map(({ id }) => id);
  const { name, grNo, place, leftOn } = open;
  throw fieldRefusal(
    'isOtherChild',
    leftOn
      ? text`${{ name }} left on ${{ day: showDate(leftOn) }}. Re-admit the child on the record, or tick this.`
      : text`This may be ${{ child: [name, place].filter(Boolean).join(', ') }}, GR ${{ number: grNo }}. Open the record, or tick this.`,
  );
}

/** The students who may be a child, as the user may see them; the log of the others says who asked. */
async function findAlikeStudents(
  ctx: UserContext,
  child: Omit<NamedChild, 'gender'> & { gender: Input['gender'] | '' },
) {
  const { firstName, lastName, gender, birthDate, grNo, branchId, mobiles } = child;
  const code = gender === '' ? '' : genderCodes[gender];
  const [alike = []] = await alikeStudents(ctx, [
    { firstName, lastName, gender: code, birthDate, grNo, branchId, mobiles: mobiles.filter(Boolean) },
  ]);
  return describeAlike(ctx, alike);
}

const alike: Handler<typeof addStudentApi.alike> = async (ctx, { sectionId, branchId, mobile, ...child }) => {
  await countQuestion(ctx);
  const section =
    sectionId === null
      ? undefined
      : await ctx.db.selectFrom('academic_section').where('id', '=', sectionId).select('branch_id').executeTakeFirst();
  const { offered, elsewhere } = await findAlikeStudents(ctx, {
    ...child,
    branchId: section?.branch_id ?? branchId,
    mobiles: [mobile],
  });
  await auditAll(
    ctx,
    elsewhere.map((id) => ({ action: 'student.found-alike', entity: 'student', entityId: id, details: {} })),
  );
  return { students: offered, isElsewhere: elsewhere.length > 0 };
};

const seats: Handler<typeof addStudentApi.seats> = async (ctx, { gradeId, on }) => {
  const year = await ctx.db
    .selectFrom('academic_year')
    .$if(on === '', (query) => query.where('id', '=', yearOf(ctx)))
    .$if(on !== '', (query) => query.where('starts_on', '<=', on).where('ends_on', '>=', on))
    .select('id')
    .executeTakeFirst();
  if (!year) return [];
  const sections = await sectionsWithSeats(ctx, { academicYearId: year.id, gradeId }, on || toLocalDate(ctx.now()));
  return sections
    .filter(({ branchId }) => reachesBranch(ctx.user, branchId))
    .map(({ id, name, branch, strength, capacity }) => ({ id, name, branch, strength, capacity }));
};

const age: Handler<typeof addStudentApi.age> = async (ctx, { gradeId, birthDate }) => {
  const found = await ctx.db
    .selectFrom('academic_grade as grade')
    .innerJoin('academic_year as year', (join) => join.on('year.id', '=', yearOf(ctx)))
    .where('grade.id', '=', gradeId)
    .select(['grade.name', 'grade.min_age_months', 'grade.max_age_months', 'year.age_cutoff_on', 'year.starts_on'])
    .executeTakeFirst();
  const fitting = found && ageFor(birthDate, found, found.age_cutoff_on ?? found.starts_on);
  return { words: fitting?.words ?? null, isOutside: fitting?.isOutside ?? false };
};

const known: Handler<typeof addStudentApi.known> = async (ctx, { mobile }) => {
  await countQuestion(ctx);
  const rows = await ctx.db
    .selectFrom('guardian')
    .where('mobile', '=', mobile)
    .where('merged_into_id', 'is', null)
    .select('id')
    .orderBy('id')
    .execute();
  const adults = await describeAdults(ctx, rows);
  await auditFound(ctx, adults, { 'Mobile number': `••••••${mobile.slice(-4)}` });
  const families = await familiesOf(
    ctx,
    adults.map(({ id }) => id),
  );
  return adults.map((adult) => ({ ...adult, family: families.get(adult.id) ?? null }));
};

export const addStudentRoutes = routes(addStudentApi, { create, alike, seats, age, known });
