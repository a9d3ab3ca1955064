import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { audit } from '#kit/server/security/audit.ts';
import { writers } from '../contract/words.ts';

export const sendKind = 'announcement.send';

export const pageOf = (id: number) => `/school-erp/announcement/announcement-list/${id}`;

export interface SendInput {
  announcementId: number;
  round: number;
}

/** A round of messages: its kind, and the guardians who get one. */
interface Round {
  kind: 'Publish' | 'Added' | 'New version' | 'Reminder';
  /** A query of `guardian_id`, each once. */
  guardians: ReturnType<typeof sql>;
  /** Of a new version: what Undo puts back. */
  earlier?: Earlier;
}

/** What the form of a new version changes besides the text, and from which text reading counted. */
export interface Earlier {
  category_id: number;
  priority: string;
  branch_id: number | null;
  expires_at: Date | null;
  is_pinned: boolean;
  asks: string;
  options: string[];
  acknowledge_by: string | null;
  sends_email: boolean;
  sends_sms: boolean;
  is_page_only: boolean;
  counts_from: number;
  tags: readonly number[];
}

/**
 * Begins a round of an announcement that the caller has locked, and the run that sends it; null where no guardian gets a
 * message. A second press finds the round of the first by its key.
 */
export async function beginRound(
  ctx: ActingContext,
  id: number,
  { kind, guardians, earlier }: Round,
): Promise<number | null> {
  const { db, now, user } = ctx;
  const { rows: found } = await sql<{ number: number; version: number; title: string; sends: boolean }>`
    select coalesce((select max(number) from announcement_round where announcement_id = notice.id), 0) + 1 as number,
      notice.current_version as version, own.title, notice.sends_email or notice.sends_sms as sends
    from announcement notice
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    where notice.id = ${id}`.execute(db);
  const [notice] = found;
  if (!notice) return null;
  const { rows } = notice.sends
    ? await sql<{ id: number; name: string }>`
        select guardian.id, guardian.name from (${guardians}) as chosen join guardian on guardian.id = chosen.guardian_id
        order by guardian.id`.execute(db)
    : { rows: [] };
  const input: SendInput = { announcementId: id, round: notice.number };
  const runId =
    rows.length === 0
      ? null
      : await startRun(ctx, {
          kind: sendKind,
          input,
          rows,
          told: { title: text`Send “${{ title: notice.title }}”`, path: pageOf(id) },
          access: writers,
          waitSeconds: user ? undoSeconds : 0,
        });
  await db
    .insertInto('announcement_round')
    .values({
      announcement_id: id,
      number: notice.number,
      kind,
      version: notice.version,
      run_id: runId,
      started_by: user?.staffId ?? null,
      started_at: now(),
      earlier: earlier ? JSON.stringify(earlier) : null,
    })
    .execute();
  return runId;
}

/** The guardians of the snapshot who receive messages about one of its children. */
export const receiving = (id: number) => sql`
  select distinct recipient.guardian_id from announcement_recipient recipient
  join announcement_recipient_child child on child.recipient_id = recipient.id
  join student_guardian link on link.guardian_id = recipient.guardian_id and link.student_id = child.student_id
    and link.receives_messages
  where recipient.announcement_id = ${id} and recipient.removed_at is null`;

/** Publishes a locked announcement whose time has come: its people of today, the bell of the staff, and the messages. */
export async function release(ctx: ActingContext, id: number): Promise<number | null> {
  const { db, now, user } = ctx;
  const today = toLocalDate(now());
  await sql`insert into announcement_recipient (announcement_id, guardian_id)
    select distinct ${id}::integer, guardian_id from announcement_pairs(${id}, ${today}::date)
    on conflict do nothing`.execute(db);
  // Without the barrier the pairs are found again for each recipient, since the new rows are not in the statistics yet.
  await sql`insert into announcement_recipient_child (recipient_id, student_id)
    with pair as materialized (select * from announcement_pairs(${id}, ${today}::date))
    select recipient.id, pair.student_id from pair
    join announcement_recipient recipient on recipient.announcement_id = ${id} and recipient.guardian_id = pair.guardian_id
    on conflict do nothing`.execute(db);
  const { rows: staff } = await sql<{ staffId: number }>`
    insert into announcement_recipient (announcement_id, staff_id)
    select ${id}::integer, staff_id from announcement_staff(${id}, ${today}::date)
    on conflict do nothing returning staff_id as "staffId"`.execute(db);
  const { rows } = await sql<{ title: string; priority: string }>`
    update announcement notice set released_at = ${now()}, version = notice.version + 1
    from announcement_version own
    where notice.id = ${id} and own.announcement_id = notice.id and own.number = notice.current_version
    returning own.title, notice.priority`.execute(db);
  const [notice] = rows;
  await notify(ctx, {
    to: { staff: staff.map(({ staffId }) => staffId) },
    kind: 'announcement.published',
    text:
      notice?.priority === 'Emergency'
        ? text`Emergency: ${{ title: notice.title }}`
        : text`New announcement: ${{ title: notice?.title ?? '' }}`,
    path: pageOf(id),
    key: `announcement ${id}`,
  });
  const runId = await beginRound(ctx, id, { kind: 'Publish', guardians: receiving(id) });
  const details = { Title: notice?.title ?? '' };
  await audit(ctx, {
    ...(user ? {} : { actor: 'Shala' }),
    action: 'announcement.published',
    entity: 'announcement',
    entityId: id,
    details,
  });
  return runId;
}
