import { sql } from 'kysely';
import { saysPaid } from '#features/fee-money/contract/hooks.ts';
import { answer } from '#kit/server/hook.ts';

/** Reminders wait so long for a payment to be looked for; a late fine never waits. */
const waits = '3 days';

/** Children for whom a family entered a payment in the last three days that has no receipt yet. */
export const believeFamilies = answer(
  saysPaid,
  { by: 'online-payment', step: 11 },
  async ({ db, now }, { studentIds }) => {
    const { rows } = await sql<{ id: number }>`
      select distinct entered.student_id as id from home_payment entered
      where entered.student_id = any(${[...studentIds]}::integer[]) and entered.not_found_at is null
        and entered.entered_at > ${now()}::timestamptz - ${waits}::interval and seen_payment(entered) is null`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  },
);
