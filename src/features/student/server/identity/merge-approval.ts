import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, Context } from '#kit/server/context.ts';
import type { MergeChoices, MergeSum } from '../../contract/hooks.ts';
import { mergeKind, perform, tokenOf } from './merge.ts';

interface Asked {
  id: number;
  keptId: number;
  retiredId: number;
  version: number;
  choices: MergeChoices;
  sums: MergeSum[];
  basis: string;
  kept: string;
  retired: string;
  versions: number[];
}

async function readAsked({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<Asked[]> {
  const { rows } = await sql<Asked>`
    select own.id, own.kept_id as "keptId", own.retired_id as "retiredId", own.version, own.choices, own.sums, own.basis,
      kept.name || ', GR ' || kept.gr_no as kept, retired.name || ', GR ' || retired.gr_no as retired,
      array[kept.version, retired.version] as versions
    from student_merge own join student kept on kept.id = own.kept_id join student retired on retired.id = own.retired_id
    where own.id = any(${[...ids]}::integer[]) order by own.id`.execute(db);
  return rows;
}

const show = ({ kind }: MergeSum, value: number) => (kind === 'money' ? showMoney(value) : String(value));

const effectOf = (sums: readonly MergeSum[]): Text[] =>
  sums.map((sum) => {
    const [kept, retired, after] = [show(sum, sum.kept), show(sum, sum.retired), show(sum, sum.after)];
    return text`${{ what: sum.label }}: ${{ kept }} and ${{ retired }} become ${{ after }}`;
  });

/** A merge that the office has prepared; the principal decides. */
export const mergeApproval: ApprovalKind = {
  kind: mergeKind,
  subject: 'student_merge_id',
  title: text`Merge of two records`,
  notice: text`A merge of two records is waiting for your approval.`,
  sets: ['principal'],
  describe: async (ctx, ids) =>
    new Map(
      (await readAsked(ctx, ids)).map(({ id, keptId, retiredId, kept, retired, sums, version, versions }) => [
        id,
        {
          facts: [
            { label: text`Kept record`, value: verbatim(kept) },
            { label: text`Record that ends`, value: verbatim(retired) },
          ],
          effect: [...effectOf(sums), text`A merge can’t be undone.`],
          to: `student/student-list/${keptId}/merge?with=${retiredId}`,
          basis: [version, versions],
        },
      ]),
    ),
  decide: async (ctx, ids, outcome) => {
    if (outcome !== 'Approved') {
      await sql`update student_merge set status = ${outcome}, version = version + 1
        where id = any(${[...ids]}::integer[]) and status = 'Asked'`.execute(ctx.db);
      return;
    }
    for (const { id, keptId, retiredId, choices, basis } of await readAsked(ctx, ids)) {
      const done = await perform(ctx, id, { keptId, retiredId }, choices);
      const [block] = done.answer.blocks;
      if (block) throw new AppError('conflict', block);
      if (tokenOf(done.basis) !== basis)
        throw new AppError(
          'conflict',
          text`The records have changed since this was asked. Reject it, and let the office check again.`,
        );
    }
  },
};
