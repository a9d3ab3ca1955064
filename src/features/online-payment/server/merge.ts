import { sql } from 'kysely';
import { guardianMergeHook, mergeHook } from '#features/student/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';

/** What hangs on the record of a student or an adult in this feature. */
export const onlinePaymentMerges: readonly Merging[] = [
  { table: 'home_payment', words: text`Payments from home`, how: 'moves', isRemoved: true },
];

const nothing = { sums: [], texts: [], blocks: [], basis: [] };

export const mergeHomePayments = answer(
  mergeHook,
  { by: 'online-payment', step: 11 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`update home_payment set student_id = ${keptId} where student_id = ${retiredId}`.execute(db);
    return { ...nothing, collisions: [] };
  },
);

/** A reference that both adults entered is kept once. */
export const mergePayers = answer(
  guardianMergeHook,
  { by: 'online-payment', step: 11 },
  async ({ db }, { keptId, retiredId }) => {
    await sql`delete from home_payment other where other.guardian_id = ${retiredId} and exists (
      select from home_payment own where own.guardian_id = ${keptId} and own.reference_key = other.reference_key)`.execute(
      db,
    );
    await sql`update home_payment set guardian_id = ${keptId} where guardian_id = ${retiredId}`.execute(db);
    return nothing;
  },
);
