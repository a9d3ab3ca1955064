import { sql } from 'kysely';
import type { InquiryState } from '#features/admission-form/contract/state.ts';
import { describeAdults, readNextGrNumber, sectionsWithSeats } from '#features/student/api.ts';
import { genderWord } from '#features/student/contract/record.ts';
import { isAadhaar } from '#kit/contract/aadhaar.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { accountApi, accountReaders } from '../../contract/account.ts';
import { mayCall } from '../abilities.ts';
import { type Application, nameOf, readApplications, repeatsName } from './application.ts';
import { applyAccount, joiningDay, placeOf, prepareAccount } from './create.ts';
import { createMany } from './create-many.ts';
import { isAccountReached } from './list.ts';
import { readPlan, siblingsHere } from './plan.ts';

const read: Handler<typeof accountApi.read> = async (ctx, { id, joinsOn }) => {
  const seen = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .where('id', '=', id)
    .where('state', 'in', ['Seat confirmed', 'Admitted'])
    .where(isAccountReached(ctx.user))
    .select('id')
    .executeTakeFirst();
  const [application] = seen ? await readApplications(ctx, [id], false) : [];
  if (!application) throw new AppError('not_found', notFoundMessage);
  const { row, child, files } = application;
  const known = application.leaver ?? application.here;
  const isInYear = joinsOn !== '' && joinsOn >= row.starts_on && joinsOn <= row.ends_on;
  const day = isInYear ? joinsOn : joiningDay(application, ctx.now());
  const family = await describeFamily(ctx, application);
  return {
    id,
    version: row.version,
    inquiryNo: row.inquiry_no,
    child: child ? nameOf(child) : row.inquiry_no,
    birthDate: child?.birthDate ?? '',
    repeatsName: repeatsName(child),
    gender: row.gender === null ? '' : genderWord(row.gender),
    state: row.state as InquiryState,
    academicYear: row.year,
    branch: row.branch,
    program: row.program,
    grade: row.grade,
    quota: row.quota,
    firstDay: row.starts_on,
    lastDay: row.ends_on,
    joinsOn: day,
    student: await findStudent(ctx, row.student_id),
    adults: family.adults,
    siblings: family.siblings.map(({ name, grNo }) => `${name}, GR ${grNo}`),
    isDivorced: child?.isDivorced ?? false,
    returning: known && {
      id: known.id,
      name: known.name,
      grNo: known.gr_no,
      leftOn: known.left_on ?? '',
      isSure: known.is_same_number,
    },
    sections: (await sectionsWithSeats(ctx, placeOf(row), day)).map(({ id, name, capacity, strength }) => ({
      id,
      name,
      free: Math.max(capacity - strength, 0),
    })),
    houses: await ctx.db
      .selectFrom('academic_house')
      .where('is_active', '=', true)
      .select(['id', 'name'])
      .orderBy(sql`lower(name)`)
      .execute(),
    nextGrNo: await readNextGrNumber(ctx, row.branch_id),
    udiseUid: application.udiseUid,
    documents: (files?.documents ?? []).map(({ name, status, remark }) => ({
      name: name === 'Other' && remark ? remark : name,
      status,
    })),
    schools: (child?.schools ?? []).map(({ school }) => school),
    hasHealth: row.health !== null,
    hasAadhaar: isAadhaar(child?.aadhaar ?? ''),
    wantsTransport: child?.wantsTransport ?? false,
    payment: await findPayment(ctx, id),
    plan: await describePlan(ctx, application, day, family.siblings),
    missing: application.missing,
    blocks: application.blocks,
    may: {
      create: row.state === 'Seat confirmed' && mayCall(ctx.user, { create: accountApi.create }).create,
    },
  };
};

const findStudent = async ({ db }: UserContext, id: number | null) => {
  if (id === null) return null;
  const row = await db
    .selectFrom('student')
    .where('id', '=', id)
    .select(['id', 'name', 'gr_no'])
    .executeTakeFirstOrThrow();
  return { id: row.id, name: row.name, grNo: row.gr_no };
};

async function findPayment({ db }: UserContext, inquiryId: number) {
  const row = await db
    .selectFrom('admission_payment')
    .where('inquiry_id', '=', inquiryId)
    .where('reversed_at', 'is', null)
    .select(['amount', 'slip_no', 'paid_on'])
    .executeTakeFirst();
  return row ? { amount: Number(row.amount), slipNo: row.slip_no, paidOn: row.paid_on } : null;
}

/** The adults with whom they may be, and the brothers and sisters whom they share. */
async function describeFamily(ctx: UserContext, { adults }: Application) {
  const ids = [...new Set(adults.flatMap(({ certain, likely }) => [...(certain ? [certain] : []), ...likely]))];
  const described =
    ids.length > 0
      ? await describeAdults(
          ctx,
          ids.map((id) => ({ id })),
          accountReaders,
        )
      : [];
  const find = (id: number) => described.find((known) => known.id === id);
  const parents = adults.flatMap(({ certain, role }) => (certain && role !== 'Contact' ? [certain] : []));
  const siblings = parents.length > 0 ? await siblingsHere(ctx, { guardianIds: parents }) : [];
  return {
    adults: adults.map((adult) => ({
      part: adult.part,
      name: nameOf(adult),
      relation: adult.relation,
      mobile: adult.mobile,
      isFirst: adult.isPrimary,
      known: (adult.certain && find(adult.certain)) || null,
      likely: adult.likely.flatMap((id) => find(id) ?? []),
    })),
    siblings,
  };
}

/** Of a child who is no student yet. */
async function describePlan(
  ctx: UserContext,
  application: Application,
  joinsOn: string,
  siblings: readonly { birthDate: string }[],
) {
  if (application.row.state === 'Admitted')
    return { reason: null, structure: '', dues: [], total: 0, suggested: [], conceded: 0 };
  const { reason = null, basis: _, suggested, ...plan } = await readPlan(ctx, application, joinsOn, siblings);
  return {
    ...plan,
    reason,
    suggested: suggested.map(({ name, takesOff, needsApproval }) => ({ name, takesOff, needsApproval })),
  };
}

const create: Handler<typeof accountApi.create> = (ctx, { id, version, confirmToken, ...choices }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const prepared = await prepareAccount(ctx, { id, version }, choices);
    const student = isPreview ? null : await applyAccount(ctx, prepared);
    return {
      answer: {
        makes: prepared.makes,
        missing: prepared.application.missing,
        student: student && {
          ...student,
          name: nameOf(prepared.application.child),
          section: prepared.section,
        },
      },
      basis: prepared.basis,
    };
  });

export const accountRoutes = routes(accountApi, { read, create, createMany });
