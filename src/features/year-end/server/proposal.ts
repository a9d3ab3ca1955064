import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import { askers } from '../contract/question.ts';

/** True of a row of `year_proposal` as `own` in the caller's branches. */
export const isReachedProposal = ({ user }: Pick<UserContext, 'user'>) =>
  sql<boolean>`${inScope(user, askers, { branch: sql`own.branch_id` })}`;
