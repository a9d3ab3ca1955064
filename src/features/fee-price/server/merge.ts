import { sql } from 'kysely';
import { guardianMergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { renewFamilies } from './discount/suggest.ts';

/** What hangs on a student's record in this feature. */
export const feePriceMerges: readonly Merging[] = [
  { table: 'fee_account', words: text`Fee account`, how: 'moves' },
  { table: 'fee_concession', words: text`Concessions`, how: 'remains' },
];

/** More brothers and sisters may be entitled to a concession: it is suggested, and given by nobody here. */
export const suggestForFamily = answer(
  guardianMergeHook,
  { by: 'fee-price', step: 11 },
  async (ctx, { studentIds }) => {
    const read = async () => {
      const { rows } = await sql<{ key: string; name: string; discount: string }>`
      select concat_ws(' ', student.id, discount.id, own.percent, own.is_end) as key, student.name, discount.name as discount
      from fee_concession own join student on student.id = own.student_id join fee_discount discount on discount.id = own.discount_id
      where own.status = 'Suggested' and student.family_id in (
        select family_id from student where id = any(${[...studentIds]}::integer[]))
      order by student.id, discount.id`.execute(ctx.db);
      return rows;
    };
    const before = new Set((await read()).map(({ key }) => key));
    await renewFamilies(ctx, studentIds);
    const fresh = (await read()).filter(({ key }) => !before.has(key));
    return {
      sums: [],
      texts: fresh.map(({ name, discount }) => text`${{ discount }} is then suggested for ${{ name }}, and not given.`),
      blocks: [],
      // Another renewal may be running: what is suggested is no part of what was confirmed.
      basis: [],
    };
  },
);
