import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { isSeatReached } from '../seat/seat-read.ts';

/** True in a query of `slot`: the user is one of its assessors. */
export const isOwnSlot = ({ user }: UserContext) => sql<boolean>`exists (select from admission_slot_assessor own
  where own.slot_id = slot.id and own.staff_id = ${user.staffId})`;

/** True in a query of `slot`: in the branches of the account, or the assessor's own. */
export const isSlotReached = (ctx: UserContext) =>
  sql<boolean>`(${isSeatReached(ctx.user, sql`slot.branch_id`)} or ${isOwnSlot(ctx)})`;
