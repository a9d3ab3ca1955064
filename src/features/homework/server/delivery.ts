import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { type HomeworkState, homeworkMessages } from '../contract/words.ts';

/** In a query of `given`: the homework that the user reaches by these grants. */
export const isSeen = ({ user }: UserContext, access: Access) =>
  inScope(user, access, { branch: sql`given.branch_id`, section: sql`given.section_id` });

/** In a query of `given` and its `content`: the user owns it, or is mapped to its subject in the section today. */
export const isGiver = ({ user, now }: UserContext) =>
  sql<boolean>`(content.owner_id = ${user.staffId}
    or homework_may_give(given.section_id, given.subject_id, ${user.staffId}, ${toLocalDate(now())}))`;

/** In a query of `given`: the state as people see it at a moment. */
export const stateAt = (now: Date) => sql<HomeworkState>`case
  when given.state = 'Published' and given.publish_at > ${now} then 'Scheduled' else given.state end`;

/** Of two acts that publish to one section, the second sees the first's homework. */
export const lockLoads = ({ db }: Pick<UserContext, 'db'>, sectionIds: readonly number[]) =>
  sql`select pg_advisory_xact_lock(hashtext('homework'), section)
    from (select unnest(${[...sectionIds]}::integer[]) as section order by 1) as sections`.execute(db);

interface Wanted {
  id: number;
  version?: number;
  /** The content’s. */
  contentVersion?: number;
}

interface How {
  access: Access;
  /** Its minutes or days change what others may give. */
  locksLoad?: boolean;
  /** Not only owner and mapped teachers act. */
  isOpen?: boolean;
}

/**
 * Locks homework that the user may change; throws `not_found` beyond the user's reach, `forbidden` for a teacher of another
 * subject, and `stale` for another version.
 */
export async function lockDelivery(ctx: UserContext, { id, version, contentVersion }: Wanted, how: How) {
  const { db, now } = ctx;
  const found = await db
    .selectFrom('homework_section as given')
    .innerJoin('homework as content', 'content.id', 'given.homework_id')
    .where('given.id', '=', id)
    .where(isSeen(ctx, how.access))
    .select(['given.homework_id', 'given.section_id', 'given.academic_year_id', isGiver(ctx).as('isGiver')])
    .executeTakeFirstOrThrow(notFound);
  if (!found.isGiver && !how.isOpen) throw new AppError('forbidden', homeworkMessages.notGiver);
  await lockYearForShare(ctx, found.academic_year_id);
  if (how.locksLoad) await lockLoads(ctx, [found.section_id]);
  const content = await db
    .selectFrom('homework')
    .where('id', '=', found.homework_id)
    .select(['id', 'title', 'minutes', 'kind', 'max_marks', 'version', 'owner_id', 'subject_id'])
    .forUpdate()
    .executeTakeFirst();
  const given = await db
    .selectFrom('homework_section as given')
    .where('given.id', '=', id)
    .selectAll('given')
    .select(stateAt(now()).as('shownState'))
    .forUpdate()
    .executeTakeFirst();
  if (!content || !given) throw new AppError('not_found', notFoundMessage);
  requireVersion(given, version);
  requireVersion(content, contentVersion);
  return { given, content };
}
