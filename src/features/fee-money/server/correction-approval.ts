import { sql } from 'kysely';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { corrections, doneCorrections, titles } from './correction.ts';
import { refunds } from './refund.ts';

const effects = {
  Debit: text`The due is charged.`,
  Credit: text`This amount is taken off the due; any overpayment becomes advance.`,
  'Write-off': text`The amount is no longer owed.`,
  Waiver: text`The late fine falls by this amount.`,
  Transfer: text`The advance moves to the other receipt series.`,
};

const path = 'fee/student-wise-fees-structure';

/** A second person decides on corrections that lower what is owed, or move advance. */
export const correctionApproval: ApprovalKind = {
  kind: 'fee.adjustment',
  subject: 'fee_adjustment_id',
  title: text`Correction of fees`,
  notice: text`A correction of fees is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) => {
    const found = await corrections(ctx).where('own.id', 'in', ids).execute();
    return new Map(
      found.map((row) => {
        const facts: { label: Text; value: Text }[] = [
          { label: text`Type`, value: titles[row.kind] },
          { label: text`About`, value: verbatim(row.about) },
          { label: text`Amount`, value: verbatim(showMoney(row.amount)) },
        ];
        return [row.id, { facts, effect: [effects[row.kind]], to: `${path}?part=corrections`, basis: row.version }];
      }),
    );
  },
  lock: async ({ db }, ids) => {
    await sql`select from fee_account where id in (select account_id from fee_adjustment where id = any(${[...ids]}::integer[]))
      order by id for update`.execute(db);
    await sql`select from fee_adjustment where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const status = outcome === 'Approved' ? 'Done' : 'Rejected';
    const found = await doneCorrections(ctx, ids, status);
    await auditAll(
      ctx,
      found.map(({ id, version, grNo, kind, amount }) => ({
        action: status === 'Done' ? 'fee-adjustment.done' : 'fee-adjustment.rejected',
        entity: 'fee_adjustment',
        entityId: id,
        version: version + 1,
        details: { Student: grNo, What: kind, Amount: showMoney(amount) },
      })),
    );
  },
};

/** A second person decides on a refund; its advance is held until then. */
export const refundApproval: ApprovalKind = {
  kind: 'fee.refund',
  subject: 'fee_refund_id',
  title: text`Refund of advance`,
  notice: text`A refund is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) => {
    const found = await refunds(ctx).where('own.id', 'in', ids).execute();
    return new Map(
      found.map((row) => {
        const facts: { label: Text; value: Text }[] = [
          { label: text`Receipt series`, value: verbatim(row.series) },
          { label: text`Paid by`, value: verbatim(row.mode) },
          { label: text`Paid to`, value: verbatim(row.payee) },
        ];
        const effect = [text`${{ amount: showMoney(row.amount) }} of the advance may be paid back.`];
        return [row.id, { facts, effect, to: `${path}?part=refunds`, basis: row.version }];
      }),
    );
  },
  lock: async ({ db }, ids) => {
    await sql`select from fee_account where id in (select account_id from fee_refund where id = any(${[...ids]}::integer[]))
      order by id for update`.execute(db);
    await sql`select from fee_refund where id = any(${[...ids]}::integer[]) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    await sql`update fee_refund set status = ${outcome}, version = version + 1
      where id = any(${[...ids]}::integer[])`.execute(ctx.db);
    const found = await refunds(ctx).where('own.id', 'in', ids).orderBy('own.id').execute();
    await auditAll(
      ctx,
      found.map(({ id, version, grNo, amount }) => ({
        action: outcome === 'Approved' ? 'fee-refund.approved' : 'fee-refund.rejected',
        entity: 'fee_refund',
        entityId: id,
        version,
        details: { Student: grNo, Amount: showMoney(amount) },
      })),
    );
  },
};
