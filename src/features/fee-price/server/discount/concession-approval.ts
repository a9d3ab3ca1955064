import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';
import { auditConcessions, readSome, takesOff } from './concession.ts';
import { effectsOf, lockPlans } from './concession-effect.ts';
import { followConcessions } from './follow-concessions.ts';

/** A second person decides on a concession; a withdrawn request counts as rejected. */
export const concessionApproval: ApprovalKind = {
  kind: 'fee.concession',
  subject: 'fee_concession_id',
  title: text`Fee concession`,
  notice: text`A fee concession is waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  isOfYear: (yearId, subjectId) =>
    sql<boolean>`exists (select from fee_concession own where own.id = ${subjectId}
      and own.academic_year_id = ${yearId})`,
  describe: async (ctx, ids) => {
    const found = await readSome(ctx, ids);
    // A decided concession is part of the plan already.
    const effects = await effectsOf(
      ctx,
      found.filter((row) => row.status === 'Requested'),
    );
    return new Map(
      found.map((row) => {
        const facts: { label: Text; value: Text }[] = [
          { label: text`Discount`, value: verbatim(row.discount) },
          { label: text`Takes off`, value: takesOff(row) },
          { label: text`Fee heads`, value: row.heads ? verbatim(row.heads) : text`All heads with concessions` },
          { label: text`From`, value: verbatim(showDate(row.effectiveFrom)) },
          { label: text`Until`, value: verbatim(showDate(row.effectiveTo)) },
          { label: text`Section`, value: verbatim(row.section) },
        ];
        const effect = effects.get(row.id);
        return [
          row.id,
          { facts, effect: effect ? [effect] : [], to: 'fee/fee-discount-master?tab=waiting', basis: row.version },
        ];
      }),
    );
  },
  lock: async ({ db }, ids) => {
    await sql`select from academic_year where id in (select academic_year_id from fee_concession
      where id = any(${[...ids]})) order by id for share`.execute(db);
    await lockPlans({ db }, ids);
    await db.selectFrom('fee_concession').where('id', 'in', ids).select('id').orderBy('id').forUpdate().execute();
  },
  decide: async (ctx, ids, outcome) => {
    const status = outcome === 'Approved' ? 'Approved' : 'Rejected';
    await ctx.db
      .updateTable('fee_concession')
      .set({ status, version: sql`version + 1` })
      .where('id', 'in', ids)
      .execute();
    await auditConcessions(ctx, status === 'Approved' ? 'fee-concession.granted' : 'fee-concession.rejected', ids);
    if (status === 'Approved') await followConcessions(ctx, ids, 'Decided');
  },
};
