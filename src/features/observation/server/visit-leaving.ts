import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** Visits of a colleague who leaves that are not shared are cancelled unseen, as observer and as observed person. */
export const endVisits = answer(relieveHook, 'observation', async ({ db }, { staffId }) => {
  const { rows } = await sql<{ id: number; version: number }>`
    with found as (select id, version from observation_visit where ${staffId} in (observer_id, observed_id) and share_number = 0
      and state in ('Scheduled', 'In progress', 'Draft') order by id for update)
    update observation_visit own set state = 'Cancelled', cancel_reason = 'Left the school', version = own.version + 1
    from found where found.id = own.id returning own.id, found.version`.execute(db);
  return {
    ends: rows.length > 0 ? [text`Visits to lessons that are cancelled: ${{ count: rows.length }}.`] : [],
    blocks: [],
    basis: rows,
  };
});
