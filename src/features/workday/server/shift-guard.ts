import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import type { MasterGuard } from '#kit/server/master/guard.ts';
import { shiftMaster } from '../contract/masters.ts';
import { monthMessages } from '../contract/month.ts';
import { peopleWithLeave } from './away.ts';
import { weighYears } from './reweigh.ts';

/** Weighs the leave of years that are not closed: a shift says which days of it are worked. */
async function weighAll(ctx: UserContext) {
  const { rows } = await sql<{ fromDay: string | null; toDay: string | null }>`
    select min(starts_on)::text as "fromDay", max(ends_on)::text as "toDay" from academic_year where closed_at is null`.execute(
    ctx.db,
  );
  const { fromDay, toDay } = rows[0] ?? {};
  if (!fromDay || !toDay) return;
  await weighYears(ctx, { people: await peopleWithLeave(ctx, fromDay, toDay), refusal: monthMessages.costsByShift });
}

/** Leave costs what a saved shift makes of its days. No second person decides. */
export const weighAfterShift: MasterGuard = {
  fieldsOf: async () => [],
  add: async (ctx, { master }, save) => {
    const saved = await save();
    if (master.table === shiftMaster.table) await weighAll(ctx);
    return saved;
  },
  change: async (ctx, { master }, save) => {
    const saved = await save();
    if (master.table === shiftMaster.table) await weighAll(ctx);
    return saved;
  },
};
