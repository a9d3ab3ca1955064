import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';

/** Decided by the head of the club, who needs no permission set. */
export const clubApproval: ApprovalKind = {
  kind: 'club.open',
  subject: 'club_id' as never,
  title: text`Planted opening of a club`,
  notice: text`A planted club waits for its opening`,
  sets: ['principal'],
  isByRow: true,
  mayDecide: ({ user }, clubId) =>
    sql<boolean>`exists (select from club where club.id = ${clubId} and club.head_id = ${user.staffId})`,
  describe: async () => new Map(),
  decide: async ({ db }, ids) => sql`update club set is_active = true where id = any(${ids}::integer[])`.execute(db),
};
