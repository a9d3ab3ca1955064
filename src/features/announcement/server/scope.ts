import { sql } from 'kysely';
import { inScope, reachOf } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { keepers } from '../contract/words.ts';

type Asking = Pick<UserContext, 'user' | 'now'>;

/** Whether `notice` is published and has not expired. */
export const isLive = (now: Date) => sql<boolean>`(notice.state = 'Ready' and notice.publish_at <= ${now}
  and coalesce(notice.expires_at > ${now}, true))`;

/** Whether `notice` is for the user today. */
export const isForUser = ({ user, now }: Asking) => sql<boolean>`exists (
  select from announcement_staff(notice.id, ${toLocalDate(now())}::date) as own where own.staff_id = ${user.staffId})`;

/** Whether the user keeps `notice`: office and principal of its branch, where it is of all branches without a limit. */
export const isKept = ({ user }: Asking) => inScope(user, keepers, { branch: sql`notice.branch_id` });

/** Whether the row `target`, with a `kind` and an `id`, is a section or a student that the user leads today. */
export const isLed = ({ user, now }: Asking) => sql<boolean>`case target.kind
  when 'Section' then target.id = any(${user.scope.led}::integer[])
  when 'Student' then exists (select from student_on(${toLocalDate(now())}::date) here
    where here.student_id = target.id and here.section_id = any(${user.scope.led}::integer[]))
  else false end`;

/** Whether everybody whom `notice` addresses is of a section or a student that the user leads today. */
const isToLed = (asking: Asking) => sql<boolean>`not exists (
  select from (select kind, coalesce(section_id, student_id) as id from announcement_audience
    where announcement_id = notice.id) as target
  where not ${isLed(asking)})`;

/**
 * Whether the user keeps `notice`, or wrote it and leads its people today. Until it is released no family reads it, so
 * it is its author's.
 */
export const isWritten = (asking: Asking) =>
  sql<boolean>`(${isKept(asking)}
    or notice.author_id = ${asking.user.staffId} and (notice.released_at is null or ${isToLed(asking)}))`;

/** As `isWritten`, where names are shown: an author who no longer leads these people does not read their names. */
export const isAddressed = (asking: Asking) =>
  sql<boolean>`(${isKept(asking)} or notice.author_id = ${asking.user.staffId} and ${isToLed(asking)})`;

/** Whether the user is office or principal, whatever the branch. */
export const isKeeper = ({ user }: Pick<UserContext, 'user'>) => {
  const reach = user.role === 'Staff' ? reachOf(user, keepers) : undefined;
  return reach !== undefined && (reach.isAll || reach.branches.length > 0);
};

/** Scheduled, published and expired follow from the times. */
export const stateAt = (now: Date) => sql<string>`case
  when notice.state <> 'Ready' then notice.state
  when notice.publish_at > ${now} then 'Scheduled'
  when notice.expires_at <= ${now} then 'Expired'
  else 'Published' end`;
