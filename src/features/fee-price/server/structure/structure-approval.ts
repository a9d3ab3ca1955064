import { sql } from 'kysely';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { detailsOf, publishAll, readSome } from './structure.ts';

const labels: Record<keyof ReturnType<typeof detailsOf>, Text> = {
  Name: text`Name`,
  Year: text`Academic year`,
  Place: text`Charged to`,
  Grades: text`Grades`,
  Prices: text`Prices`,
  'Valid from': text`Valid from`,
};

/** A second person publishes the prices of a year; a rejected or withdrawn request makes them a draft again. */
export const structureApproval: ApprovalKind = {
  kind: 'fee.structure',
  subject: 'fee_structure_id',
  title: text`Prices of a year`,
  notice: text`Prices of a year are waiting for your approval.`,
  sets: ['financeApprover', 'principal'],
  describe: async (ctx, ids) =>
    new Map(
      (await readSome(ctx, ids)).map((structure) => {
        const details = detailsOf(structure);
        return [
          structure.id,
          {
            facts: Object.entries(labels)
              .filter(([name]) => details[name as keyof typeof labels] !== '')
              .map(([name, label]) => ({
                label,
                value: verbatim(details[name as keyof typeof labels]),
              })),
            effect: [
              text`The prices are published and can’t be changed.`,
              ...(structure.versionNo > 1
                ? [text`They replace version ${{ number: String(structure.versionNo - 1) }}.`]
                : []),
            ],
            to: `fee/fee-structure-allocation/${structure.id}`,
            basis: structure.version,
          },
        ];
      }),
    ),
  lock: async ({ db }, ids) => {
    await sql`select from academic_year where id in (select academic_year_id from fee_structure
      where id = any(${[...ids]})) order by id for share`.execute(db);
    await db.selectFrom('fee_structure').where('id', 'in', ids).select('id').orderBy('id').forUpdate().execute();
  },
  decide: async (ctx, ids, outcome) => {
    if (outcome === 'Approved') return publishAll(ctx, await readSome(ctx, ids));
    await ctx.db
      .updateTable('fee_structure')
      .set({ status: 'Draft', version: sql`version + 1` })
      .where('id', 'in', ids)
      .execute();
    await auditEach(ctx, { action: 'fee-structure.returned', entity: 'fee_structure', details: { Why: outcome } }, ids);
  },
};
