import { type RawBuilder, sql } from 'kysely';

/**
 * True of a payment, by its alias, that a bank statement has shown: for most their own line answers, all lines being looked up
 * at once; for one that was moved, the line of the first.
 */
export const bankSaw = (payment: RawBuilder<unknown>) => sql<boolean>`(${payment}.id in (
    select payment_id from bank_line where payment_id is not null)
  or (${payment}.reissue_of is not null and bank_saw(${payment}.id)))`;
