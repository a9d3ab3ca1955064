import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';

/** True of a `notice` that is not published yet. */
const isUnpublished = sql`(notice.state = 'Draft' or notice.state = 'Ready' and notice.released_at is null)`;

const lock = ({ db }: ActingContext, { staffId }: { staffId: number }) =>
  sql`select from announcement notice where notice.author_id = ${staffId} and ${isUnpublished}
    order by notice.id for update`.execute(db);

/** Drafts and scheduled announcements of a colleague who leaves go to the office of their branch, or else to the principal. */
export const moveAnnouncements = answer(
  relieveHook,
  { by: 'announcement', step: 8, lock },
  async (ctx, { staffId }) => {
    const { db, now } = ctx;
    const { rows } = await sql<{ id: number; version: number; to: number | null }>`
    select notice.id, notice.version, (
      select account.staff_id from sign_in_account account
      where account.is_staff and account.sets && '{office,principal}' and ${isOpenOn(toLocalDate(now()))}
        and account.staff_id <> ${staffId}
        and (not exists (select from sign_in_account_branch where account_id = account.id)
          or exists (select from sign_in_account_branch own where own.account_id = account.id and own.branch_id = notice.branch_id))
      order by 'office' = any(account.sets) desc, account.id limit 1) as to
    from announcement notice
    where notice.author_id = ${staffId} and ${isUnpublished} order by notice.id`.execute(db);
    const moved = rows.filter(({ to }) => to !== null);
    await sql`update announcement notice set author_id = new.to, version = notice.version + 1
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as new (id integer, "to" integer)
    where notice.id = new.id`.execute(db);
    await auditEach(
      ctx,
      { action: 'announcement.moved', entity: 'announcement' },
      moved.map(({ id }) => id),
    );
    const count = moved.length;
    return {
      ends:
        count === 0
          ? []
          : [
              text(
                {
                  message:
                    '{count, plural, one {# announcement that is not published goes} other {# announcements that are not published go}} to the office.',
                },
                { count },
              ),
            ],
      blocks: [],
      basis: rows.map(({ id, version }) => [id, version]),
    };
  },
);
