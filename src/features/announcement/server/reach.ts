import { sql } from 'kysely';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { channelOrder } from '#features/family/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { announcementApi } from '../contract/announcement.ts';
import type { Reach } from '../contract/audience.ts';
import { requireAudience, saveAudience } from './audience.ts';
import { isKeeper } from './scope.ts';

/** The most names of guardians that are reached by nothing. */
const mostNames = 20;

/** The people of a stored announcement today, and how the guardians are reached. */
export async function reachOf({ db, now }: Pick<Context, 'db' | 'now'>, id: number): Promise<Reach> {
  const today = toLocalDate(now());
  const { rows } = await sql<Reach>`
    with pair as materialized (select guardian_id, student_id from announcement_pairs(${id}, ${today}::date)),
    way as materialized (
      select way.* from announcement notice
      cross join lateral family_ways(array(select guardian_id from pair order by guardian_id, student_id),
        array(select student_id from pair order by guardian_id, student_id), 'announcement.notice',
        array(select one from unnest(${channelOrder.Normal}::text[]) with ordinality as channel (one, place)
          where case one when 'email' then notice.sends_email else notice.sends_sms end order by place),
        notice.priority = 'Emergency') as way
      where notice.id = ${id})
    select (select count(distinct guardian_id) from pair)::integer as guardians,
      (select count(distinct student_id) from pair)::integer as children,
      (select count(*) from announcement_staff(${id}, ${today}::date))::integer as staff,
      (select count(*) from way where channel = 'email')::integer as emails,
      (select count(*) from way where channel = 'sms')::integer as texts,
      (select case when notice.sends_email or notice.sends_sms
          then (select count(*) from way where reason in ('No address', 'Does not work')) else 0 end
        from announcement notice where notice.id = ${id})::integer as unreached,
      array(select adult.name from way join guardian adult on adult.id = way.guardian_id
        cross join announcement notice
        where notice.id = ${id} and (notice.sends_email or notice.sends_sms) and way.reason in ('No address', 'Does not work')
        order by lower(adult.name), adult.id limit ${mostNames}) as "unreachedNames"`.execute(db);
  return rows[0] ?? { guardians: 0, children: 0, staff: 0, emails: 0, texts: 0, unreached: 0, unreachedNames: [] };
}

/** Counts what is not stored yet by storing it in a savepoint that is rolled back, so that there is one rule. */
export const count: Handler<typeof announcementApi.count> = async (ctx: UserContext, asked) => {
  const { db, user } = ctx;
  if (isKeeper(ctx) && !reachesBranch(user, asked.branchId)) throw fieldRefusal('branchId', otherBranch);
  await requireAudience(ctx, asked.audience);
  await sql`savepoint counted`.execute(db);
  const category = db.selectFrom('academic_lookup').where('kind', '=', 'Notice category').select('id').limit(1);
  const { id } = await db
    .insertInto('announcement')
    .values({
      category_id: category,
      priority: 'Normal',
      branch_id: asked.branchId,
      author_id: user.staffId,
      sends_email: asked.sendsEmail,
      sends_sms: asked.sendsSms,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveAudience(ctx, id, asked.audience);
  const reach = await reachOf(ctx, id);
  await sql`rollback to savepoint counted`.execute(db);
  return reach;
};
