import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Access } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import type { User } from '#kit/server/context.ts';
import { type GrantedSet, grantedSets } from '../contract/grants.ts';

/** Where the records of a query are. */
interface ScopeColumns {
  branch: Expression<unknown>;
  /** The section of today; without it the records belong to no section. */
  section?: Expression<unknown>;
}

/** Whether the granted sets of a user reach a branch. */
export const reachesBranch = ({ role, scope }: User, branchId: number | null) =>
  role === 'Admin' || scope.branches.length === 0 || scope.branches.includes(branchId ?? 0);

export const otherBranch = text`Choose one of your branches.`;

/** What a user’s permission sets give access to: everything, or these branches and sections of today. */
type Reach = { isAll: true } | { isAll: false; branches: readonly number[]; sections: readonly number[] };

/** A permission set reaches records only if it gives access. */
export function reachOf({ role, sets, scope }: User, access: Access): Reach {
  if (role === 'Admin') return { isAll: true };
  const open = Array.isArray(access) ? access.flatMap((grant) => (grant.role === role ? grant.sets : [])) : [];
  const held = new Set(open.filter((set: string) => sets.includes(set)));
  const isGranted = [...held].some((set) => grantedSets.includes(set as GrantedSet));
  if (isGranted && scope.branches.length === 0) return { isAll: true };
  return {
    isAll: false,
    branches: isGranted ? scope.branches : [],
    sections: [...(held.has('classTeacher') ? scope.led : []), ...(held.has('subjectTeacher') ? scope.taught : [])],
  };
}

/**
 * A condition that limits a query to the records a user may see; a record outside does not exist for them. A permission
 * set counts only if it gives access: a granted one reaches the branches of the account, a class teacher's the sections
 * led today, a subject teacher's those taught today. Admins see every record.
 */
export function inScope(user: User, access: Access, { branch, section }: ScopeColumns): RawBuilder<boolean> {
  const reach = reachOf(user, access);
  if (reach.isAll) return sql`true`;
  const { branches, sections } = reach;
  if (branches.length === 0 && sections.length === 0) return sql`false`;
  // A record without a branch or section is in nobody's.
  const isInSection = section ? sql`${section} = any(${sections}::integer[])` : sql`false`;
  return sql`coalesce(${branch} = any(${branches}::integer[]) or ${isInSection}, false)`;
}
