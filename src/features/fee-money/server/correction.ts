import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requestApproval } from '#features/approval/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type CorrectionKind, correctionApi, correctionList, correctionMessages } from '../contract/correction.ts';
import { lockStudent } from './lock-student.ts';

/** What a due is called. */
const nameOfDue = sql<string>`coalesce((select name from fee_head where id = due.fee_head_id) || ', ', '') || due.label`;

export const corrections = ({ db, user }: UserContext) =>
  db
    .selectFrom('fee_adjustment as own')
    .innerJoin('fee_account as account', 'account.id', 'own.account_id')
    .innerJoin('student', 'student.id', 'account.student_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'student.branch_id')
    .innerJoin('staff as asker', 'asker.id', 'own.asked_by')
    .leftJoin('fee_due as due', 'due.id', 'own.due_id')
    .leftJoin('fee_receipt_series as from_series', 'from_series.id', 'own.from_series_id')
    .leftJoin('fee_receipt_series as to_series', 'to_series.id', 'own.to_series_id')
    .where(inScope(user, feeReaders, { branch: sql`student.branch_id` }))
    .select(['own.id', 'own.version', 'own.reason', 'own.account_id as accountId'])
    .select(['student.id as studentId', 'student.name as student', 'student.gr_no as grNo', 'branch.name as branch'])
    .select(['branch.id as branchId', 'asker.name as askedBy', 'own.due_id as dueId', 'own.asked_at'])
    .select(['own.from_series_id as fromSeriesId', 'own.to_series_id as toSeriesId'])
    .select([
      sql<number>`own.amount`.as('amount'),
      sql<CorrectionKind>`own.kind`.as('kind'),
      sql<'Requested' | 'Done' | 'Rejected'>`own.status`.as('status'),
      sql<string>`case when own.due_id is null then from_series.name || ' → ' || to_series.name else ${nameOfDue} end`.as(
        'about',
      ),
    ]);
type Found = Awaited<ReturnType<ReturnType<typeof corrections>['executeTakeFirstOrThrow']>>;

const { routes: listRoutes } = serveList(correctionList, (ctx) => ({
  query: corrections(ctx),
  id: 'own.id',
  isPeople: true,
  matches: (word) => sql`(${containsName('student', word)} or lower(student.gr_no) like lower(${contains(word)}))`,
  tabs: { all: undefined, waiting: sql`own.status = 'Requested'` },
  filters: {
    kind: (kind) => sql`own.kind = ${kind}`,
    status: (status) => sql`own.status = ${status}`,
    branchId: (id) => sql`student.branch_id = ${Number(id)}`,
  },
  sorts: {
    student: { by: sql`student.sort_name`, as: 'text' },
    askedOn: { by: sql`own.asked_at::date`, as: 'date' },
  },
  toRows: async (rows: Found[]) => rows.map((row) => ({ ...row, askedOn: toLocalDate(row.asked_at) })),
}));

interface Correction {
  id: number;
  accountId: number;
  kind: CorrectionKind;
  dueId: number | null;
  fromSeriesId: number | null;
  toSeriesId: number | null;
  amount: number;
}

/** Posts a correction whose account is locked; what is paid beyond a lowered due becomes advance. Refuses more than fits. */
async function post(ctx: Pick<Context, 'db' | 'now'>, one: Correction) {
  const today = toLocalDate(ctx.now());
  const { id, accountId, kind, dueId, amount } = one;
  const entries = kind === 'Transfer' ? await transferred(ctx, one) : await ofDue(ctx, one, today);
  const common = { accountId, dueId, kind, entryDate: today, dueOn: today, adjustmentId: id, amount };
  await insertTogether(
    ctx.db,
    'fee_ledger_entry',
    entries.map((entry) => ({ ...common, ...entry })),
  );
}

async function transferred({ db }: Pick<Context, 'db'>, { accountId, fromSeriesId, toSeriesId, amount }: Correction) {
  const { rows } = await sql<{ free: number }>`select amount - held as free from fee_advance
    where account_id = ${accountId} and receipt_series_id = ${fromSeriesId}`.execute(db);
  if ((rows[0]?.free ?? 0) < amount)
    throw new AppError('conflict', correctionMessages.more(showMoney(rows[0]?.free ?? 0)));
  return [
    { receiptSeriesId: Number(fromSeriesId), amount },
    { receiptSeriesId: Number(toSeriesId), amount: -amount },
  ];
}

async function ofDue({ db }: Pick<Context, 'db'>, { dueId, kind, amount }: Correction, today: string) {
  const { rows } = await sql<{ series: number; year: number | null; dueOn: string; net: number; paid: number }>`
    select receipt_series_id as series, academic_year_id as year, due_on as "dueOn", net, paid from fee_due
    where id = ${dueId}`.execute(db);
  const [due] = rows;
  if (!due) throw new AppError('not_found', notFoundMessage);
  const own = { receiptSeriesId: due.series, academicYearId: due.year };
  const later = due.dueOn > today ? due.dueOn : today;
  if (kind === 'Debit') return [{ ...own, dueOn: due.dueOn }];
  // Only a credit returns what was paid already.
  const most = kind === 'Credit' ? due.net : due.net - due.paid;
  if (amount > most) throw new AppError('conflict', correctionMessages.more(showMoney(most)));
  const over = due.paid - (due.net - amount);
  const lowered = { ...own, amount: -amount, dueOn: later };
  if (over <= 0) return [lowered];
  return [
    lowered,
    { ...own, kind: 'Applied', amount: over, adjustmentId: null },
    { ...own, kind: 'Applied', dueId: null, amount: -over, adjustmentId: null },
  ];
}

export const correct: Handler<typeof correctionApi.correct> = async (ctx, asked) => {
  const { db, user } = ctx;
  const { kind, reason } = asked;
  const amount = Number(asked.amount);
  const student = await lockStudent(ctx, Number(asked.studentId));
  const dueId = kind === 'Debit' ? await addDue(ctx, student.accountId, asked) : await chosenDue(ctx, student, asked);
  const isDone = kind === 'Debit';
  const today = toLocalDate(ctx.now());
  const series =
    kind === 'Transfer' ? { from: Number(asked.fromSeriesId), to: Number(asked.toSeriesId) } : { from: null, to: null };
  const { id } = await db
    .insertInto('fee_adjustment')
    .values({
      account_id: student.accountId,
      kind,
      due_id: dueId,
      from_series_id: series.from,
      to_series_id: series.to,
      amount,
      reason,
      status: isDone ? 'Done' : 'Requested',
      done_on: isDone ? today : null,
      asked_by: user.staffId,
      asked_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const correction = {
    id,
    accountId: student.accountId,
    kind,
    dueId,
    fromSeriesId: series.from,
    toSeriesId: series.to,
    amount,
  };
  const details = { Student: student.grNo, What: kind, Amount: showMoney(amount), Reason: reason };
  const act = { entity: 'fee_adjustment', entityId: id, version: 1, details };
  if (isDone) {
    await post(ctx, correction);
    await audit(ctx, { action: 'fee-adjustment.done', ...act });
    return { id, status: 'Done' };
  }
  await requireRoom(ctx, correction);
  await audit(ctx, { action: 'fee-adjustment.requested', ...act });
  await requestApproval(ctx, {
    kind: 'fee.adjustment',
    subjectId: id,
    branchId: student.branchId,
    studentId: student.id,
    title: titles[kind],
    amount,
    reason,
  });
  return { id, status: 'Requested' };
};

export const titles: Record<CorrectionKind, ReturnType<typeof text>> = {
  Debit: text`Debit`,
  Credit: text`Credit`,
  'Write-off': text`Write-off`,
  Waiver: text`Waiver of a late fine`,
  Transfer: text`Transfer of advance`,
};

/** A request that can’t be done now is refused at once, in the field. */
async function requireRoom(ctx: UserContext, correction: Correction) {
  try {
    await (correction.kind === 'Transfer'
      ? transferred(ctx, correction)
      : ofDue(ctx, correction, toLocalDate(ctx.now())));
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') throw fieldRefusal('amount', error.text);
    throw error;
  }
}

async function chosenDue(
  { db }: UserContext,
  { accountId }: { accountId: number },
  asked: Asked,
): Promise<number | null> {
  if (asked.kind === 'Transfer') return null;
  const due = await db
    .selectFrom('fee_due')
    .where('id', '=', Number(asked.dueId))
    .where('account_id', '=', accountId)
    .select(['id', 'kind'])
    .executeTakeFirst();
  if (!due) throw fieldRefusal('dueId', correctionMessages.due);
  if (asked.kind === 'Waiver' && due.kind !== 'Fine') throw fieldRefusal('kind', correctionMessages.onlyFine);
  return due.id;
}

type Asked = Parameters<Handler<typeof correctionApi.correct>>[1];

/** The due that a debit charges; its reason is what it is called. */
async function addDue({ db }: UserContext, accountId: number, { feeHeadId, dueOn, reason }: Asked): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into fee_due (account_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
    select ${accountId}, 'Extra', id, receipt_series_id, gst_rate, left(${reason}, 120), ${dueOn}::date
    from fee_head where id = ${feeHeadId} and category <> 'Transport' returning id`.execute(db);
  if (!rows[0]) throw fieldRefusal('feeHeadId', correctionMessages.head);
  return rows[0].id;
}

/** Posts approved corrections. A debit is done at once, so it is never among them. */
export async function doneCorrections(ctx: UserContext, ids: readonly number[], outcome: 'Done' | 'Rejected') {
  const found = await corrections(ctx).where('own.id', 'in', ids).orderBy('own.id').execute();
  if (outcome === 'Done') for (const one of found) await post(ctx, one);
  await sql`update fee_adjustment set status = ${outcome}, version = version + 1,
      done_on = ${outcome === 'Done' ? toLocalDate(ctx.now()) : null}::date
    where id = any(${[...ids]}::integer[])`.execute(ctx.db);
  return found;
}

const open: Handler<typeof correctionApi.open> = async ({ db, user }, { studentId }) => {
  const reach = inScope(user, feeWriters, { branch: sql`student.branch_id` });
  const own = sql`account.student_id = ${studentId} and exists (select from student
    where student.id = account.student_id and ${reach})`;
  const { rows: dues } = await sql<{
    id: number;
    name: string;
    kind: string;
    dueOn: string;
    net: number;
    paid: number;
  }>`select due.id, ${nameOfDue} as name, due.kind, due_on as "dueOn", net, paid from fee_due due
    join fee_account account on account.id = due.account_id where ${own} and net > 0
    order by paid = net, due_on, due.id limit 200`.execute(db);
  const { rows: advances } = await sql<{ seriesId: number; series: string; amount: number; held: number }>`
    select series.id as "seriesId", series.name as series, amount, held from fee_advance advance
    join fee_account account on account.id = advance.account_id
    join fee_receipt_series series on series.id = advance.receipt_series_id
    where ${own} and amount > 0 order by series.name`.execute(db);
  return { dues, advances };
};

export const correctionRoutes = [...listRoutes, ...routes(correctionApi, { open, correct })];
