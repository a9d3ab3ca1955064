import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requestApproval } from '#features/approval/api.ts';
import { lockYearForShare, readYear } from '#features/calendar/api.ts';
import { studentOptions } from '#features/student/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { type Access, isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { containsName } from '#kit/server/search.ts';
import { audit, auditAll } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import {
  type ConcessionState,
  concessionApi,
  concessionList,
  concessionMessages,
  concessionTitle,
} from '../../contract/concession.ts';
import { type Discount, isToBeApproved } from '../../contract/discount.ts';
import { isGuarded } from '../control/proposal.ts';
import { lockAccounts } from '../plan/children.ts';
import { lockPlans } from './concession-effect.ts';
import { readDiscount } from './discount.ts';
import { childOf } from './family-order.ts';
import { followConcessions } from './follow-concessions.ts';

const rules: ConstraintMessages = {
  table: 'fee_concession',
  fields: {},
  constraintMessages: {
    fee_concession_once: { field: 'effectiveFrom', message: concessionMessages.once },
  },
};

/** The concessions of the students that a user with this access reaches, by the branch of their enrolment. */
const concessions = ({ db, user }: UserContext, access: Access = feeReaders) =>
  db
    .selectFrom('fee_concession as concession')
    .innerJoin('student', 'student.id', 'concession.student_id')
    .innerJoin('fee_discount as discount', 'discount.id', 'concession.discount_id')
    .innerJoin('academic_year as year', 'year.id', 'concession.academic_year_id')
    .innerJoin('student_enrollment as enrollment', (join) =>
      join
        .onRef('enrollment.student_id', '=', 'concession.student_id')
        .onRef('enrollment.academic_year_id', '=', 'concession.academic_year_id')
        .on('enrollment.is_standing', '=', true),
    )
    .innerJoin('academic_grade as grade', 'grade.id', 'enrollment.grade_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'enrollment.branch_id')
    .leftJoin('staff as requester', 'requester.id', 'concession.requested_by')
    .where(inScope(user, access, { branch: sql`enrollment.branch_id`, section: sql`null::integer` }))
    .select(['concession.id', 'concession.version', 'concession.percent', 'concession.reason'])
    .select(['concession.effective_from as effectiveFrom', 'concession.effective_to as effectiveTo'])
    .select(['concession.student_id as studentId', 'concession.discount_id as discountId'])
    .select(['concession.academic_year_id as yearId', 'concession.replaces_id as replacesId'])
    .select(['concession.is_end as isEnd', 'student.name as student', 'student.gr_no as grNo'])
    .select(['discount.name as discount', 'discount.needs_approval as needsApproval'])
    .select(['discount.approval_above as approvalAbove', 'year.name as year', 'branch.name as branch'])
    .select(['branch.id as branchId', 'year.status as yearStatus'])
    .select([
      sql<ConcessionState>`concession.status`.as('status'),
      sql<number | null>`concession.amount`.as('amount'),
      sql<string>`coalesce(requester.name, '')`.as('requestedBy'),
      sql<string>`(select coalesce(string_agg(head.name, ', ' order by head.priority, head.id), '')
        from fee_discount_head own join fee_head head on head.id = own.fee_head_id
        where own.discount_id = discount.id)`.as('heads'),
      sql<string>`(select name from student_place(student.id, school_now()::date, concession.academic_year_id))`.as(
        'section',
      ),
    ]);

export type FoundConcession = Awaited<ReturnType<ReturnType<typeof concessions>['executeTakeFirstOrThrow']>>;

/** What a concession takes off, in one line. */
export function takesOff({ percent, amount, isEnd }: Pick<FoundConcession, 'percent' | 'amount' | 'isEnd'>): Text {
  if (isEnd) return text`Ends`;
  if (percent !== null) return text`${{ share: showPercent(percent) }}`;
  return amount === null ? text`Everything` : text`${{ money: showMoney(amount) }} a year`;
}

const { routes: concessionListRoutes, selected } = serveList(concessionList, (ctx) => {
  const mayWrite = isGranted(feeWriters, ctx.user);
  return {
    query: concessions(ctx),
    id: 'concession.id',
    isPeople: true,
    matches: (word) =>
      sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}) or discount.name ilike ${contains(word)})`,
    tabs: { all: undefined },
    filters: {
      status: (status) => sql`concession.status = ${status}`,
      discountId: (id) => sql`concession.discount_id = ${Number(id)}`,
      academicYearId: (id) => sql`concession.academic_year_id = ${Number(id)}`,
      branchId: (id) => sql`enrollment.branch_id = ${Number(id)}`,
    },
    sorts: { student: { by: sql`student.sort_name`, as: 'text' } },
    toRows: async (rows: FoundConcession[]) =>
      rows.map((row) => {
        const isOpen = mayWrite && row.yearStatus !== 'Closed';
        return {
          ...row,
          value: takesOff(row),
          takesOff: english(takesOff(row)),
          may: { end: isOpen && row.status === 'Approved', grant: isOpen && row.status === 'Suggested' },
        };
      }),
  };
});

/** Those of these concessions that the user reaches, by id. */
export const readSome = (ctx: UserContext, ids: readonly number[], access?: Access): Promise<FoundConcession[]> =>
  concessions(ctx, access)
    .where(sql<boolean>`concession.id = any(${ids}::integer[])`)
    .orderBy('concession.id')
    .execute();

const detailsOf = (row: FoundConcession): Record<string, string> => ({
  Student: row.grNo,
  Discount: row.discount,
  'Takes off': english(takesOff(row)),
  From: row.effectiveFrom,
  Until: row.effectiveTo,
  ...(row.reason && { Reason: row.reason }),
});

const act = (action: string, row: FoundConcession) => ({
  action,
  entity: rules.table,
  entityId: row.id,
  version: row.version,
  details: detailsOf(row),
});

/** Notes what happened to concessions, whose rows are read again. */
export const auditConcessions = async (ctx: UserContext, action: string, ids: readonly number[], access?: Access) =>
  auditAll(
    ctx,
    (await readSome(ctx, ids, access)).map((row) => act(action, row)),
  );

const firstDayOf = (day: string) => `${day.slice(0, 7)}-01`;
function lastDayOf(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** The percentage or amount that a student gets of a discount; siblings by their place in the family. */
async function valueFor(ctx: UserContext, discount: Discount, studentId: number, yearId: number) {
  const { percent, amount, steps } = discount;
  if (discount.eligibility !== 'Siblings') return { percent, amount };
  const child = await childOf(ctx, studentId, yearId);
  return { percent: steps.findLast((step) => step.child <= child)?.percent ?? percent, amount };
}

const request: Handler<typeof concessionApi.request> = async (ctx, asked) => {
  const { reason } = asked;
  const [studentId, discountId, yearId] = [asked.studentId, asked.discountId, asked.academicYearId].map(Number);
  const year = await readYear(ctx, Number(yearId));
  await lockYearForShare(ctx, year.id);
  const student = await ctx.db
    .selectFrom('student_enrollment as enrollment')
    .where('enrollment.student_id', '=', Number(studentId))
    .where('enrollment.academic_year_id', '=', year.id)
    .where('enrollment.is_standing', '=', true)
    .where(inScope(ctx.user, feeWriters, { branch: sql`enrollment.branch_id` }))
    .select(['enrollment.student_id as id', 'enrollment.branch_id as branchId'])
    .executeTakeFirst();
  if (!student) throw fieldRefusal('studentId', concessionMessages.notEnrolled);
  const discount = await readDiscount(ctx, Number(discountId));
  if (!discount.isActive) throw fieldRefusal('discountId', concessionMessages.inactive);
  if (discount.academicYearId !== null && discount.academicYearId !== year.id)
    throw fieldRefusal('discountId', concessionMessages.otherYear);
  const from = firstDayOf(asked.effectiveFrom);
  const to = lastDayOf(asked.effectiveTo || year.ends_on);
  if (from < firstDayOf(year.starts_on) || from > year.ends_on)
    throw fieldRefusal('effectiveFrom', concessionMessages.outside);
  if (to > lastDayOf(year.ends_on)) throw fieldRefusal('effectiveTo', concessionMessages.outside);
  if (to < from) throw fieldRefusal('effectiveTo', concessionMessages.later);
  await lockAccounts(ctx, [student.id]);
  const made = await addConcession(ctx, { student, yearId: year.id, discount, from, to, reason });
  if (made.status === 'Approved') await followConcessions(ctx, [made.id]);
  return made;
};

interface NewConcession {
  student: { id: number; branchId: number };
  yearId: number;
  discount: Discount;
  from: string;
  to: string;
  reason: string;
}

/** Nothing of a head is left to pay. */
const takesAll = ({ percent, amount }: { percent: number | null; amount: number | null }) =>
  percent === null ? amount === null : percent >= 10_000;

/** Whether facts, such as the place in the family, suggest the discount for the student in the year. */
async function isSuggested({ db }: UserContext, asked: Pick<NewConcession, 'student' | 'yearId' | 'discount'>) {
  const { rows } = await sql`select from fee_concession where student_id = ${asked.student.id}
    and academic_year_id = ${asked.yearId} and discount_id = ${asked.discount.id} and status = 'Suggested' and not is_end
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Gives a student a discount, or asks for it where it needs approval. The account is locked; the plan does not follow yet. */
async function addConcession(ctx: UserContext, { student, yearId, discount, from, to, reason }: NewConcession) {
  const value = await valueFor(ctx, discount, student.id, yearId);
  const isAsked =
    isToBeApproved(discount, value.percent) ||
    ((await isGuarded(ctx)) && (takesAll(value) || !(await isSuggested(ctx, { student, yearId, discount }))));
  const status: ConcessionState = isAsked ? 'Requested' : 'Approved';
  const { id } = await withConstraintMessages(ctx, rules, () =>
    ctx.db
      .insertInto('fee_concession')
      .values({
        student_id: student.id,
        academic_year_id: yearId,
        discount_id: discount.id,
        source: 'Asked',
        ...value,
        effective_from: from,
        effective_to: to,
        reason,
        status,
        requested_by: ctx.user.staffId,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await auditConcessions(ctx, isAsked ? 'fee-concession.requested' : 'fee-concession.granted', [id]);
  if (isAsked)
    await requestApproval(ctx, {
      kind: 'fee.concession',
      subjectId: id,
      branchId: student.branchId,
      studentId: student.id,
      title: concessionTitle(discount.name),
      reason,
    });
  return { id, status };
}

/** Gives a student whose plan is being made these discounts, from the month of joining to the end of the year. */
export async function addDiscounts(
  ctx: UserContext,
  student: { id: number; branchId: number; joinedOn: string },
  { id: yearId, endsOn }: { id: number; endsOn: string },
  discountIds: readonly number[],
) {
  const days = { from: firstDayOf(student.joinedOn), to: lastDayOf(endsOn), reason: '' };
  // A few; each locks its own rows.
  for (const id of discountIds) {
    const discount = await readDiscount(ctx, id);
    if (!discount.isActive) throw fieldRefusal('discountIds', concessionMessages.inactive);
    await addConcession(ctx, { student, yearId, discount, ...days });
  }
}

const end: Handler<typeof concessionApi.end> = async (ctx, { id, version, lastDay, reason }) => {
  const [found] = await readSome(ctx, [id], feeWriters);
  if (!found) throw new AppError('not_found', notFoundMessage);
  await lockYearForShare(ctx, found.yearId);
  await lockPlans(ctx, [id]);
  await ctx.db.selectFrom('fee_concession').where('id', '=', id).select('id').forUpdate().execute();
  const [row = found] = await readSome(ctx, [id], feeWriters);
  requireVersion(row, version);
  if (row.status !== 'Approved') throw new AppError('conflict', concessionMessages.notApproved);
  const to = lastDayOf(lastDay);
  if (to >= row.effectiveTo) throw fieldRefusal('lastDay', concessionMessages.notEarlier);
  const isRevoked = to < row.effectiveFrom;
  const status: ConcessionState = isRevoked ? 'Revoked' : 'Approved';
  await ctx.db
    .updateTable('fee_concession')
    .set({ status, effective_to: isRevoked ? row.effectiveTo : to, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    ...act(isRevoked ? 'fee-concession.revoked' : 'fee-concession.ended', { ...row, version: version + 1, reason }),
    details: { ...detailsOf({ ...row, reason }), Until: isRevoked ? '–' : `${row.effectiveTo} → ${to}` },
  });
  await followConcessions(ctx, [id]);
  return { id, status };
};

const needsApproval = text`Needs approval. Ask for it instead.`;

const grantMany: Handler<typeof concessionApi.grantMany> = async (ctx, { selection, confirmToken }) => {
  const ids = await selected(ctx, selection);
  return previewOrApply(ctx, confirmToken, async () => {
    const years = await ctx.db
      .selectFrom('fee_concession')
      .where('id', 'in', ids)
      .select('academic_year_id as id')
      .distinct()
      .orderBy('academic_year_id')
      .execute();
    for (const { id } of years) await lockYearForShare(ctx, id);
    await lockPlans(ctx, ids);
    await ctx.db.selectFrom('fee_concession').where('id', 'in', ids).select('id').orderBy('id').forUpdate().execute();
    const found = await readSome(ctx, ids, feeWriters);
    const taken = await overlapping(ctx, ids);
    const guarded = await isGuarded(ctx);
    const judged = found.map((row) => ({ row, reason: refusalOf(row, taken, guarded) }));
    const granted = judged.flatMap(({ row, reason }) => (reason ? [] : [row]));
    await grant(ctx, granted);
    const skipped = judged.flatMap(({ row, reason }) => (reason ? [{ id: row.id, name: row.student, reason }] : []));
    return {
      answer: {
        changed: granted.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
      },
      basis: [found.map(({ id, version }) => [id, version]), skipped.map(({ id, reason }) => [id, reason.id])],
      isRefused: granted.length === 0,
    };
  });
};

/** Suggestions whose student has the discount in these months by another concession than the one they replace. */
async function overlapping({ db }: UserContext, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select wish.id from fee_concession wish where wish.id = any(${ids}::integer[]) and exists (
      select from fee_concession other where other.student_id = wish.student_id
        and other.discount_id = wish.discount_id and other.status in ('Requested', 'Approved')
        and other.id is distinct from wish.replaces_id
        and daterange(other.effective_from, other.effective_to, '[]')
          && daterange(wish.effective_from, wish.effective_to, '[]'))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

function refusalOf(row: FoundConcession, taken: ReadonlySet<number>, guarded: boolean): Text | undefined {
  if (row.status !== 'Suggested') return concessionMessages.notSuggested;
  if (row.isEnd) return undefined;
  if (taken.has(row.id)) return concessionMessages.once;
  return isToBeApproved(row, row.percent) || (guarded && takesAll(row)) ? needsApproval : undefined;
}

/** Grants locked suggestions: what they replace ends the day before. A suggestion to end is used up by it. */
async function grant(ctx: UserContext, rows: readonly FoundConcession[]) {
  const ids = rows.map(({ id }) => id);
  const replaced = rows.flatMap(({ replacesId }) => replacesId ?? []);
  await sql`update fee_concession standing set version = standing.version + 1,
      status = case when wish.effective_from <= standing.effective_from then 'Revoked' else standing.status end,
      effective_to = case when wish.effective_from <= standing.effective_from then standing.effective_to
        else wish.effective_from - 1 end
    from fee_concession wish where wish.id = any(${ids}::integer[]) and standing.id = wish.replaces_id
      and standing.status = 'Approved'`.execute(ctx.db);
  await auditConcessions(ctx, 'fee-concession.ended', replaced, feeWriters);
  await sql`delete from fee_concession where id = any(${ids}::integer[]) and is_end`.execute(ctx.db);
  await sql`update fee_concession set status = 'Approved', requested_by = ${ctx.user.staffId}, version = version + 1
    where id = any(${ids}::integer[])`.execute(ctx.db);
  await auditConcessions(ctx, 'fee-concession.granted', ids, feeWriters);
  await followConcessions(ctx, [...ids, ...replaced]);
}

const students: Handler<typeof concessionApi.students> = (ctx, asked) =>
  studentOptions(
    ctx,
    concessionApi.students.access,
    asked,
    sql`student.id in (select student_id from student_enrollment where is_standing
      and academic_year_id in (select id from academic_year where status <> 'Closed'))`,
  );

const history: Handler<typeof concessionApi.history> = async (ctx, asked) => {
  const [found] = await readSome(ctx, [asked.id]);
  if (!found) throw new AppError('not_found', notFoundMessage);
  return readHistory(ctx, rules.table, asked);
};

export default routes(concessionApi, { students, history, request, end, grantMany });

export { concessionListRoutes };
