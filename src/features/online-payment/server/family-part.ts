import { sql } from 'kysely';
import { childrenOf, familyPart, showsDues } from '#features/family/api.ts';
import {
  certifyForFamily,
  familyCertificateFile,
  familyCertificates,
  familyReceiptFile,
  familyReceipts,
  familyStatementFile,
  payableByUpi,
  payableOf,
  statementYears,
} from '#features/fee-money/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { readSetting } from '#kit/server/settings.ts';
import { enteredDays, type FamilyPay, familyPays, payApi } from '../contract/family.ts';

/** The days for which a payment is shown. */
const shownDays = 60;

type Entered = FamilyPay['entered'][number] & { studentId: number };

/** What a guardian entered, the latest first; receipts are those for the child alone. */
async function readEntered(
  { db }: Pick<Context, 'db'>,
  guardianId: number,
  studentIds: readonly number[],
  since: string,
) {
  const { rows } = await sql<Entered>`
    select entered.id, entered.student_id as "studentId", entered.reference, entered.paid_on::text as "paidOn", entered.amount, entered.note,
      case when entered.payment_id is not null then 'Seen' when entered.not_found_at is not null then 'Not found' else 'Waiting' end as state,
      coalesce((select string_agg(receipt.receipt_no, ', ' order by receipt.id) from fee_receipt receipt
        join fee_account account on account.id = receipt.account_id and account.student_id = entered.student_id
        where receipt.payment_id = entered.payment_id), '') as "receiptNo"
    from home_payment entered
    where entered.guardian_id = ${guardianId} and entered.student_id = any(${[...studentIds]}::integer[])
      and entered.paid_on >= ${since}::date
    order by entered.paid_on desc, entered.id desc limit 24`.execute(db);
  return rows;
}

/** What the guardian says was paid, and the school has neither receipted nor looked for in vain; in paise. */
async function readWaiting({ db }: Pick<Context, 'db'>, guardianId: number, studentIds: readonly number[]) {
  const { rows } = await sql<{ studentId: number; seriesId: number; amount: number }>`
    select student_id as "studentId", receipt_series_id as "seriesId", sum(amount)::integer as amount from home_payment
    where guardian_id = ${guardianId} and student_id = any(${[...studentIds]}::integer[])
      and payment_id is null and not_found_at is null
    group by 1, 2`.execute(db);
  return rows;
}

/** What each child can pay by UPI today, and what became of the payments that the guardian entered. */
export const payPart = familyPart({
  key: 'online-payment',
  output: familyPays,
  isPrivate: true,
  setting: showsDues,
  read: async (ctx, { guardianId, day, children, once }) => {
    const ids = children.map(({ studentId }) => studentId);
    const [owed, waiting, entered, receipts] = await Promise.all([
      once('fee-money.payable', () => payableOf(ctx, ids)),
      readWaiting(ctx, guardianId, ids),
      readEntered(ctx, guardianId, ids, addDays(day, -shownDays)),
      familyReceipts(ctx, guardianId, ids),
    ]);
    const payable = await payableByUpi(ctx, owed, waiting);
    const dueTo = (studentId: number) =>
      owed
        .flatMap((account) => (account.studentId === studentId ? account.lines : []))
        .reduce((sum, line) => sum + (line.isDue ? line.owed : 0), 0);
    return ids.map((studentId) => ({
      studentId,
      atCounter: payable.reduce((sum, own) => sum - (own.studentId === studentId ? own.owed : 0), dueTo(studentId)),
      series: payable
        .filter((own) => own.studentId === studentId && own.owed > 0)
        .map(({ seriesId, series, ...own }) => ({ ...own, id: seriesId, name: series })),
      ahead: payable
        .filter((own) => own.studentId === studentId && own.owed === 0)
        .map(({ seriesId, series, upiId, payee }) => ({ id: seriesId, name: series, upiId, payee })),
      entered: entered.filter((own) => own.studentId === studentId),
      receipts: receipts.filter((own) => own.studentId === studentId),
    }));
  },
});

/** A child of whom the guardian sees everything, where the school shows dues. Throws `not_found`. */
async function requireChild(ctx: Context & { holder: { id: number } }, studentId: number) {
  const { rows } = await sql`select from family_children(${ctx.holder.id}, ${toLocalDate(ctx.now())}::date) child
    where child.student_id = ${studentId} and child.reach = 'All'`.execute(ctx.db);
  if (rows.length === 0 || !(await readSetting(ctx, showsDues))) throw notFound();
}

/** What was entered is the same money: as not found as it was, and waiting since it was first entered. */
const isSame = sql<boolean>`((home_payment.receipt_series_id, home_payment.paid_on, home_payment.amount)
  = (excluded.receipt_series_id, excluded.paid_on, excluded.amount))`;

/** Payments that one link enters within an hour: far more than a family needs. */
const tries = { kind: 'family-payment', most: 20, windowSeconds: 3600 };

const enter: Handler<typeof payApi.enter> = async (ctx, { studentId, seriesId, reference, amount, paidOn }) => {
  const { db, now, holder } = ctx;
  const wait = await countHit(db, tries, String(holder.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  await requireChild(ctx, studentId);
  const today = toLocalDate(now());
  const first = addDays(today, -enteredDays);
  if (paidOn > today) throw fieldRefusal('paidOn', text`Choose today or an earlier day.`);
  if (paidOn < first) throw fieldRefusal('paidOn', text`Choose ${{ day: showDate(first) }} or a later day.`);
  // The address may have changed since the family paid, but the account is that of a series.
  const { rows: series } = await sql`select from fee_receipt_series where id = ${seriesId} and is_active`.execute(db);
  if (series.length === 0) throw notFound();
  // Entered for the other child: it goes over, and has waited since it was first entered.
  const { rows: other } = await sql<{ enteredAt: Date }>`
    delete from home_payment where guardian_id = ${holder.id} and student_id <> ${studentId} and payment_id is null
      and reference_key = upper(regexp_replace(${reference}, '[^A-Za-z0-9]', '', 'g')) returning entered_at as "enteredAt"`.execute(
    db,
  );
  const { rows } = await sql<{ id: number; isNew: boolean }>`
    insert into home_payment (guardian_id, student_id, receipt_series_id, reference, paid_on, amount, entered_at)
    values (${holder.id}, ${studentId}, ${seriesId}, ${reference}, ${paidOn}::date, ${amount}, ${other[0]?.enteredAt ?? now()})
    on conflict on constraint home_payment_once do update set receipt_series_id = excluded.receipt_series_id, paid_on = excluded.paid_on, amount = excluded.amount,
      not_found_at = case when ${isSame} then home_payment.not_found_at end,
      not_found_by = case when ${isSame} then home_payment.not_found_by end,
      note = case when ${isSame} then home_payment.note else '' end, version = home_payment.version + 1
    where home_payment.payment_id is null and not ${isSame}
    returning id, version = 1 as "isNew"`.execute(db);
  const [entered] = rows;
  // It has a receipt by now, which the page shows, or was entered before.
  if (!entered) return {};
  await audit(ctx, {
    actor: 'Parent',
    action: entered.isNew ? 'home-payment.entered' : 'home-payment.corrected',
    entity: 'home_payment',
    entityId: entered.id,
    details: { Reference: reference, 'Paid on': paidOn },
  });
  return {};
};

/** The children of whom the guardian sees everything, where the school shows dues. */
async function shownChildren(ctx: Context & { holder: { id: number } }) {
  if (!(await readSetting(ctx, showsDues))) return [];
  const children = await childrenOf(ctx, ctx.holder.id, toLocalDate(ctx.now()));
  return children.filter(({ reach }) => reach === 'All').map(({ studentId }) => studentId);
}

const receipt: Handler<typeof payApi.receipt> = async (ctx, { id }) =>
  familyReceiptFile(ctx, ctx.holder.id, await shownChildren(ctx), id);

/** A child of whom the guardian sees everything. Throws `not_found`. */
async function requireShown(ctx: Parameters<typeof shownChildren>[0], id: number) {
  if (!(await shownChildren(ctx)).includes(id)) throw notFound();
  return id;
}

const papers: Handler<typeof payApi.papers> = async (ctx, { id }) => {
  const studentId = await requireShown(ctx, id);
  return {
    statements: await statementYears(ctx, ctx.holder.id, studentId),
    certificates: await familyCertificates(ctx, ctx.holder.id, studentId),
  };
};

const statement: Handler<typeof payApi.statement> = async (ctx, { id, yearId }) =>
  familyStatementFile(ctx, ctx.holder.id, await requireShown(ctx, id), yearId);

const certify: Handler<typeof payApi.certify> = async (ctx, { studentId, ...of }) =>
  certifyForFamily(ctx, ctx.holder.id, await requireShown(ctx, studentId), of);

const certificate: Handler<typeof payApi.certificate> = async (ctx, { id }) =>
  familyCertificateFile(ctx, ctx.holder.id, await shownChildren(ctx), id);

export const payRoutes = routes(payApi, { enter, receipt, papers, statement, certify, certificate });
