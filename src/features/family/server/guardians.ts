import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import type { Context, User } from '#kit/server/context.ts';
import { linkKeepers } from '../contract/cards.ts';
import type { LinkState } from '../contract/link.ts';

/** True in a query of `guardian` of those who see a child today whom the user reaches. */
export const isReached = (user: User, today: string) => sql<boolean>`guardian.id in (
  select pair.guardian_id from family_pairs(${today}) pair
  where ${inScope(user, linkKeepers, { branch: sql`pair.branch_id` })})`;

/** The same, for who counts or looks through the guardians of a whole school. */
export const isReachedAmongAll = (user: User, today: string) => sql<boolean>`guardian.id in (
  select pair.guardian_id from all_family_pairs(${today}) pair
  where ${inScope(user, linkKeepers, { branch: sql`pair.branch_id` })})`;

export const stateOf = (now: Date): RawBuilder<LinkState> => sql<LinkState>`case
  when link.guardian_id is null then 'Not sent' when link.revoked_at is not null then 'Revoked'
  when link.expires_at <= ${now} then 'Expired' else 'Works' end`;

/** Guardians with their links. */
export const guardians = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('guardian')
    .leftJoin('family_link as link', 'link.guardian_id', 'guardian.id')
    .select(['guardian.id', 'guardian.name', 'guardian.mobile', 'guardian.email', 'link.version', 'link.sent_at']);
