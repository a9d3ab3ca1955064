import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, Context, UserContext } from '#kit/server/context.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { moveMessages } from '../contract/move.ts';
import { paymentNo } from '../contract/receipt.ts';
import { lockMoved, type Reissue, reissue, standsFor } from './reissue.ts';

interface Read extends Omit<Reissue, 'by'> {
  staffId: number;
  by: string;
  amount: number;
  mode: string;
  reference: string;
  payer: string;
  paidOn: string;
  valueOn: string;
  version: number;
}

const read = async ({ db }: Pick<Context, 'db'>, ids: readonly number[]) =>
  (
    await sql<Read>`
      select own.id, own.payment_id as "paymentId", own.kind, own.input, own.reason, own.asked_by as "staffId", staff.name as by,
        payment.amount, payment.mode, payment.reference, payment.payer_name as payer, payment.paid_on as "paidOn",
        payment.value_on as "valueOn", own.version + payment.version as version
      from fee_reissue own join fee_payment payment on payment.id = own.payment_id join staff on staff.id = own.asked_by
      where own.id = any(${ids}::integer[]) order by own.id`.execute(db)
  ).rows;

const listOf = (some: readonly { name: string; amount: number }[]) =>
  some.map(({ name, amount }) => `${name} ${showMoney(amount)}`).join(', ');

/** A second person decides whose the money of a payment is. */
export const reissueApproval: ApprovalKind = {
  kind: 'fee.reissue',
  subject: 'fee_reissue_id',
  title: text`Move of a payment`,
  notice: text`The move of a payment is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) => {
    const asked = await read(ctx, ids);
    const from = await standsFor(
      ctx,
      asked.map(({ paymentId }) => paymentId),
    );
    const { rows: names } = await sql<{ id: number; name: string }>`select id, name from student
      where id = any(${asked.flatMap(({ input }) => input.map(({ studentId }) => studentId))}::integer[])`.execute(
      ctx.db,
    );
    const nameOf = (id: number) => names.find((one) => one.id === id)?.name ?? '';
    return new Map(
      asked.map((own) => {
        const { id, paymentId, kind, input, amount, mode, reference, payer, paidOn, valueOn, version } = own;
        const shares = input.map((share) => ({ ...share, name: nameOf(share.studentId) }));
        return [
          id,
          {
            facts: [
              { label: text`Payment`, value: verbatim(paymentNo(paymentId)) },
              { label: text`Date`, value: verbatim(showDate(paidOn)) },
              { label: text`Mode`, value: verbatim([mode, reference].filter(Boolean).join(', ')) },
              { label: text`Received from`, value: verbatim(payer) },
              {
                label: text`Now for`,
                value: verbatim(listOf(from.filter((one) => one.paymentId === paymentId))),
              },
              { label: text`Then for`, value: kind === 'Unplaced' ? text`No child yet` : verbatim(listOf(shares)) },
            ],
            effect: [
              kind === 'Unplaced'
                ? text`The dues are open again, and ${{ amount: showMoney(amount) }} is unplaced money. The receipt numbers are kept.`
                : text`The present receipts are cancelled and keep their numbers. The receipts in their place count late fines until ${{ day: showDate(valueOn) }}; no cash moves.`,
            ],
            to: kind === 'Place' ? 'fee/student-wise-fees-structure?part=bank' : studentPage(from, paymentId),
            basis: version,
          },
        ];
      }),
    );
  },
  lock: async (ctx, ids) => {
    const asked = await read(ctx, ids);
    await lockMoved(
      ctx,
      asked.map(({ paymentId }) => paymentId),
      asked.flatMap(({ input }) => input.map(({ studentId }) => studentId)),
    );
    await sql`select from fee_reissue where id = any(${[...ids]}::integer[]) order by id for update`.execute(ctx.db);
  },
  decide: async (ctx, ids, outcome) => {
    const asked = await read(ctx, ids);
    if (outcome !== 'Approved') {
      await sql`update fee_reissue set status = ${outcome}, version = version + 1 where id = any(${[...ids]}::integer[])`.execute(
        ctx.db,
      );
      const action = outcome === 'Rejected' ? 'fee-reissue.rejected' : 'fee-reissue.withdrawn';
      await auditEach(ctx, { action, entity: 'fee_reissue' }, [...ids]);
      return;
    }
    await refuseOwnFamily(ctx, asked);
    // Each is an act of its own on several accounts, and they are few.
    for (const { staffId, by, ...own } of asked) await reissue(ctx, { ...own, by: { staffId, name: by } });
  },
};

const studentPage = (from: Awaited<ReturnType<typeof standsFor>>, paymentId: number) => {
  const studentId = from.find((one) => one.paymentId === paymentId)?.studentId;
  return studentId ? `fee/student-wise-fees-structure/${studentId}?part=receipts` : '';
};

/** A request has one student; none of the other children is the decider’s own either. */
async function refuseOwnFamily(ctx: UserContext, asked: readonly Read[]) {
  const from = await standsFor(
    ctx,
    asked.map(({ paymentId }) => paymentId),
  );
  const children = [
    ...from.flatMap(({ studentId }) => studentId ?? []),
    ...asked.flatMap(({ input }) => input.map(({ studentId }) => studentId)),
  ];
  const { rows } = await sql`select from student_guardian link join guardian on guardian.id = link.guardian_id
    where link.student_id = any(${children}::integer[]) and guardian.staff_id = ${ctx.user.staffId} limit 1`.execute(
    ctx.db,
  );
  if (rows.length > 0) throw new AppError('conflict', moveMessages.ownFamily);
}
