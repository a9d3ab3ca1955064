import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';

const lock = ({ db }: Pick<ActingContext, 'db'>, { staffId }: { staffId: number }) =>
  sql`select from observation_visit where ${staffId} in (observer_id, observed_id) and share_number = 0
    and state in ('Scheduled', 'In progress', 'Draft') order by id for update`.execute(db);

/**
 * Visits of a colleague who leaves that are not shared are cancelled unseen, as observer and as observed person. Those that
 * an observer has not begun go to a principal of the branch.
 */
export const endVisits = answer(
  relieveHook,
  { by: 'observation', step: 11, lock },
  async ({ db, now }, { staffId }) => {
    const today = toLocalDate(now());
    const { rows: given } = await sql<{ id: number; version: number }>`
    with found as (select visit.id, visit.version, heir.staff_id as heir from observation_visit visit
      cross join lateral (select account.staff_id from sign_in_account account
        left join staff_post post on post.staff_id = visit.observed_id
          and ${today}::date between post.effective_from and coalesce(post.effective_to, 'infinity')
        where account.is_staff and 'principal' = any(account.sets) and ${isOpenOn(today)}
          and account.staff_id not in (visit.observed_id, ${staffId})
          and (not exists (select from sign_in_account_branch where account_id = account.id)
            or exists (select from sign_in_account_branch where account_id = account.id and branch_id = post.branch_id))
        order by account.id limit 1) as heir
      where visit.observer_id = ${staffId} and visit.state = 'Scheduled')
    update observation_visit own set observer_id = found.heir, version = own.version + 1
    from found where found.id = own.id returning own.id, found.version`.execute(db);
    const { rows } = await sql<{ id: number; version: number }>`
    with found as (select id, version from observation_visit where ${staffId} in (observer_id, observed_id) and share_number = 0
      and state in ('Scheduled', 'In progress', 'Draft'))
    update observation_visit own set state = 'Cancelled', cancel_reason = 'Left the school', version = own.version + 1
    from found where found.id = own.id returning own.id, found.version`.execute(db);
    return {
      ends: [
        ...(given.length > 0 ? [text`Visits to lessons that a principal gets: ${{ count: given.length }}.`] : []),
        ...(rows.length > 0 ? [text`Visits to lessons that are cancelled: ${{ count: rows.length }}.`] : []),
      ],
      blocks: [],
      basis: [given, rows],
    };
  },
);
