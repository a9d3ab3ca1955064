import { sql } from 'kysely';
import { saysPaid } from '#features/fee-money/contract/hooks.ts';
import { answer } from '#kit/server/hook.ts';

/** Reminders wait so long for a payment to be looked for; a late fine never waits. */
const waits = '3 days';
/** A family that was believed is believed again after so long, whatever else it enters. */
const believedOnceIn = '30 days';

/** Children for whom a payment that has no receipt yet was entered in the last three days, and none in the weeks before. */
export const believeFamilies = answer(
  saysPaid,
  { by: 'online-payment', step: 11 },
  async ({ db, now }, { studentIds }) => {
    const { rows } = await sql<{ id: number }>`
      select entered.student_id as id from home_payment entered
      where entered.student_id = any(${[...studentIds]}::integer[]) and entered.payment_id is null
        and entered.entered_at > ${now()}::timestamptz - ${believedOnceIn}::interval
      group by entered.student_id
      having min(entered.entered_at) > ${now()}::timestamptz - ${waits}::interval
        and bool_or(entered.not_found_at is null)`.execute(db);
    return rows.map(({ id }) => id);
  },
);
