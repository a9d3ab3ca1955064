import { sql } from 'kysely';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { ageFor } from '#features/academic/contract/age.ts';
import { createInquiries } from '#features/admission-form/api.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toRow } from '#kit/server/database/row-map.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { inquiryApi } from '../../contract/inquiry.ts';
import { inquiryFields } from '../../contract/record.ts';
import { closedForAdmission, closedGrade, takesInquiries } from './open-grade.ts';
import { findStaffParentsOf } from './similar.ts';

/** An inquiry as the office enters it. */
export type Values = Omit<
  Parameters<Handler<typeof inquiryApi.create>>[1],
  'isAnotherChild' | 'sendsForm' | 'messageLanguage'
>;

type InquiryPlace = Pick<
  Values,
  'academicYearId' | 'branchId' | 'programId' | 'gradeId' | 'leadSourceId' | 'birthDate' | 'ageReason'
>;

const onlyHead = text`Only the admission head can accept this age.`;
const unknownChoice = text`Choose one from the list.`;

const byId = <Row extends { id: number }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row] as const));

/** The years, branches, programs, grades and lead sources that inquiries name. */
export async function readPlaces({ db, now }: UserContext, all: readonly InquiryPlace[]) {
  const oneOf = (name: 'academicYearId' | 'branchId' | 'programId' | 'gradeId' | 'leadSourceId') => {
    const ids = [...new Set(all.map((place) => place[name]).filter((id) => id !== null))];
    return sql<number>`any(${ids}::integer[])`;
  };
  const years = await db
    .selectFrom('academic_year')
    .where('id', '=', oneOf('academicYearId'))
    .select(['id', 'age_cutoff_on'])
    .execute();
  const branches = await db.selectFrom('academic_branch').where('id', '=', oneOf('branchId')).select('id').execute();
  const programs = await db
    .selectFrom('academic_program')
    .where('id', '=', oneOf('programId'))
    .select(['id', 'board_id'])
    .execute();
  const grades = await db
    .selectFrom('academic_grade')
    .where('id', '=', oneOf('gradeId'))
    .select(['id', 'name', 'min_age_months', 'max_age_months'])
    .execute();
  const leadSources = await db
    .selectFrom('academic_lookup')
    .where('kind', '=', 'Lead source')
    .where('id', '=', oneOf('leadSourceId'))
    .select('id')
    .execute();
  const seats = await db
    .selectFrom('admission_seat as seat')
    .where('academic_year_id', '=', oneOf('academicYearId'))
    .where(takesInquiries(now()))
    .select(['academic_year_id', 'branch_id', 'program_id', 'grade_id'])
    .distinct()
    .execute();
  return {
    openYears: new Set(seats.map(({ academic_year_id }) => academic_year_id)),
    openPlaces: new Set(
      seats.map(({ academic_year_id, branch_id, program_id, grade_id }) =>
        [academic_year_id, branch_id, program_id, grade_id].join(' '),
      ),
    ),
    years: byId(years),
    branches: byId(branches),
    programs: byId(programs),
    grades: byId(grades),
    leadSources: byId(leadSources),
  };
}

type Places = Awaited<ReturnType<typeof readPlaces>>;

/** The board of the program that an inquiry names. */
export const boardOf = ({ programs }: Places, { programId }: InquiryPlace) =>
  programs.get(programId ?? 0)?.board_id ?? 0;

const isPlaceOpen = ({ openPlaces }: Places, { academicYearId, branchId, programId, gradeId }: InquiryPlace) =>
  openPlaces.has([academicYearId, branchId, programId, gradeId].join(' '));

/**
 * Why an inquiry can't be for this year, branch, program and grade. A new one needs a grade that is open for admission or
 * opens later, each a branch that the user reaches. An age
 * outside the grade's needs a reason of the admission head; `before` is the reason that was accepted.
 */
export function checkPlace(
  user: UserContext['user'],
  places: Places,
  place: InquiryPlace,
  before?: string,
): FieldErrors {
  const year = places.years.get(place.academicYearId ?? 0);
  const grade = places.grades.get(place.gradeId ?? 0);
  const errors: FieldErrors = {};
  if (!year) errors.academicYearId = unknownChoice;
  else if (before === undefined && !places.openYears.has(year.id)) errors.academicYearId = closedForAdmission;
  if (!places.branches.has(place.branchId ?? 0)) errors.branchId = unknownChoice;
  else if (!reachesBranch(user, place.branchId)) errors.branchId = otherBranch;
  if (!boardOf(places, place)) errors.programId = unknownChoice;
  if (!grade) errors.gradeId = unknownChoice;
  else if (before === undefined && Object.keys(errors).length === 0 && !isPlaceOpen(places, place))
    errors.gradeId = closedGrade;
  if (!places.leadSources.has(place.leadSourceId ?? 0)) errors.leadSourceId = unknownChoice;
  const age = year && grade && ageFor(place.birthDate, grade, year.age_cutoff_on);
  if (!age?.isOutside) return errors;
  if (!place.ageReason) errors.ageReason = age.words;
  else if (place.ageReason !== before && !user.sets.includes('admissionHead')) errors.ageReason = onlyHead;
  return errors;
}

/** Waits for everybody who adds a child of this birth date, and for imports. */
export const lockChild = ({ db }: UserContext, { birthDate }: Values) =>
  sql`select pg_advisory_xact_lock_shared(hashtext('inquiry import')),
    pg_advisory_xact_lock(hashtext(${`inquiry ${birthDate}`}))`.execute(db);

/** Waits for everybody who adds an inquiry, and lets nobody add another until the transaction ends. */
export const lockChildren = ({ db }: UserContext) =>
  sql`select pg_advisory_xact_lock(hashtext('inquiry import'))`.execute(db);

/** Adds inquiries in this order, in a few statements for any number. The caller has checked them. */
export async function addInquiries(
  ctx: UserContext,
  all: readonly { values: Values; boardId: number }[],
  details: Record<string, string> = {},
) {
  const staffParents = await findStaffParentsOf(
    ctx,
    all.map(({ values }) => values),
  );
  const inquiries = all.map(({ values, boardId }, index) => ({
    ...toRow(inquiryFields, values),
    board_id: boardId,
    state: 'New',
    staff_parent_id: staffParents[index]?.[0]?.id ?? null,
  }));
  return createInquiries(ctx, ctx.user.name, inquiries, details);
}
