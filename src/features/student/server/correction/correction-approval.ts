import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalDescription, ApprovalKind } from '#kit/server/context.ts';
import { type RegisterName, registerFields } from '../../contract/correction.ts';
import { applyCorrection, effectOf, endCorrections } from './correction.ts';

const none = verbatim('–');

/** Corrections of children whose certificate is with the family: the principal decides. */
export const correctionApproval: ApprovalKind = {
  kind: 'student.correction',
  subject: 'student_correction_id',
  title: text`Correction of a register entry`,
  notice: text`A correction of a register entry is waiting for your approval.`,
  sets: ['principal'],
  describe: async (ctx, ids) => {
    const rows = await ctx.db
      .selectFrom('student_correction as own')
      .innerJoin('student', 'student.id', 'own.student_id')
      .where('own.id', 'in', ids)
      .selectAll('own')
      .select('student.version as studentVersion')
      .execute();
    const described = new Map<number, ApprovalDescription>();
    // A page of the inbox has few corrections.
    for (const row of rows) {
      const { label } = registerFields[row.field as RegisterName];
      described.set(row.id, {
        facts: [
          { label: text`Entry`, value: label },
          { label: text`Now`, value: row.old_value ? verbatim(row.old_value) : none },
          { label: text`Corrected`, value: verbatim(row.new_value || '–') },
          {
            label: text`Why`,
            value: { id: row.kind },
          },
          ...(row.order_no
            ? [
                {
                  label: text`Order`,
                  value: text`${{ number: row.order_no }} of ${{ day: showDate(row.order_on ?? '') }}, ${{ authority: row.authority }}`,
                },
              ]
            : []),
        ],
        effect: await effectOf(ctx, row.student_id, row.field as RegisterName),
        to: `/school-erp/student/student-list/${row.student_id}?part=school`,
        basis: [row.version, row.studentVersion],
      });
    }
    return described;
  },
  lock: async ({ db }, ids) => {
    await db
      .selectFrom('student')
      .where('id', 'in', db.selectFrom('student_correction').where('id', 'in', ids).select('student_id'))
      .select('id')
      .orderBy('id')
      .forUpdate()
      .execute();
    await db.selectFrom('student_correction').where('id', 'in', ids).select('id').orderBy('id').forUpdate().execute();
  },
  decide: async (ctx, ids, outcome) => {
    if (outcome !== 'Approved') return endCorrections(ctx, ids, outcome);
    for (const id of ids) await applyCorrection(ctx, id);
  },
};
