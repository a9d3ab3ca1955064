import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';

/** A school that takes money, in which no account may decide on fees: what lowers them would wait for ever. */
export const findDeciderWarnings: FindWarnings = async ({ db }) => {
  const { rows } = await sql<{ lacks: boolean }>`select fee_is_guarded() and not exists (select from sign_in_account
    where is_active and is_staff and sets && array['financeApprover', 'principal']) as lacks`.execute(db);
  if (!rows[0]?.lacks) return [];
  const words = text`No account can approve changes of fees. Give a person the permission set Finance approver or Principal.`;
  return [{ name: 'fee-no-decider', text: words }];
};
