import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { isSeatReached } from './seat-read.ts';

/** True in a query of `slot`: in the branches of the account, or the assessor's own. */
export const isSlotReached = ({ user }: UserContext) => sql<boolean>`(${isSeatReached(user, sql`slot.branch_id`)}
  or exists (select from admission_slot_assessor own where own.slot_id = slot.id and own.staff_id = ${user.staffId}))`;
