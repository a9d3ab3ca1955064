import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type announcementApi, announcementMessages as messages } from '../contract/announcement.ts';
import type { ShownRow } from '../contract/audience.ts';
import { readAudiences, requireAudience, saveAudience } from './audience.ts';
import { refuseLists } from './files.ts';
import { reachOf } from './reach.ts';
import { beginRound, pageOf, receiving } from './release.ts';
import { lockOwn, mayEdit } from './save.ts';

const wordsOf = (rows: readonly ShownRow[]) =>
  rows.map(({ name, kind, isExcluded }) => `${isExcluded ? '− ' : ''}${name || kind}`).join(', ');

/**
 * Changes the people of a published announcement. Those who are added get it and one message, whom it reached already none;
 * those who are removed lose it at once, and their receipts stay.
 */
export const changePeople: Handler<typeof announcementApi.changePeople> = (
  ctx,
  { id, version, audience, confirmToken },
) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db, now } = ctx;
    const notice = await lockOwn(ctx, id, version);
    if (notice.state !== 'Ready' || !notice.released_at || !(await mayEdit(ctx, notice)))
      throw new AppError('conflict', messages.noChange);
    await requireAudience(ctx, audience);
    const today = toLocalDate(now());
    const pairs = sql`announcement_pairs(${id}, ${today}::date)`;
    const staff = sql`announcement_staff(${id}, ${today}::date)`;
    const before = (await readAudiences(ctx, [id])).get(id) ?? [];
    const { rows: own } = await sql<{ guardians: number[]; students: number[]; staff: number[] }>`
      select array(select guardian_id from ${pairs} as pair order by guardian_id, student_id) as guardians,
        array(select student_id from ${pairs} as pair order by guardian_id, student_id) as students,
        array(select staff_id from ${staff} as own) as staff`.execute(db);
    const was = own[0] ?? { guardians: [], students: [], staff: [] };
    await saveAudience(ctx, id, audience);
    const after = (await readAudiences(ctx, [id])).get(id) ?? [];
    const reach = await reachOf(ctx, id);
    if (reach.guardians + reach.staff === 0) throw new AppError('conflict', messages.nobody);
    await refuseLists(ctx, id, reach);

    // A child that left since the announcement was published is no change of its people.
    await sql`
      with gone as (
        select was.guardian_id, was.student_id
        from unnest(${was.guardians}::integer[], ${was.students}::integer[]) as was (guardian_id, student_id)
        except select guardian_id, student_id from ${pairs} as pair)
      delete from announcement_recipient_child child using announcement_recipient recipient, gone
      where recipient.id = child.recipient_id and recipient.announcement_id = ${id}
        and recipient.guardian_id = gone.guardian_id and child.student_id = gone.student_id`.execute(db);
    const { rows: removed } = await sql<{ guardianId: number | null; staffId: number | null }>`
      update announcement_recipient recipient set removed_at = ${now()}
      where recipient.announcement_id = ${id} and recipient.removed_at is null
        and (recipient.guardian_id = any(${was.guardians}::integer[]) and recipient.guardian_id not in (select guardian_id from ${pairs} as pair)
          or recipient.staff_id = any(${was.staff}::integer[]) and recipient.staff_id not in (select staff_id from ${staff} as own))
      returning guardian_id as "guardianId", staff_id as "staffId"`.execute(db);
    const { rows: added } = await sql<{ guardianId: number | null; staffId: number | null }>`
      insert into announcement_recipient (announcement_id, guardian_id, staff_id, joined_later)
      select ${id}::integer, guardian_id, null, true from (select distinct guardian_id from ${pairs} as pair) as pair
      union all select ${id}::integer, null, staff_id, true from ${staff} as own
      on conflict do nothing returning guardian_id as "guardianId", staff_id as "staffId"`.execute(db);
    const { rows: back } = await sql<{ guardianId: number | null; staffId: number | null }>`
      update announcement_recipient recipient set removed_at = null
      where recipient.announcement_id = ${id} and recipient.removed_at is not null
        and (recipient.guardian_id in (select guardian_id from ${pairs} as pair) or recipient.staff_id in (select staff_id from ${staff} as own))
      returning guardian_id as "guardianId", staff_id as "staffId"`.execute(db);
    await sql`insert into announcement_recipient_child (recipient_id, student_id)
      with pair as materialized (select * from ${pairs} as own)
      select recipient.id, pair.student_id from pair
      join announcement_recipient recipient on recipient.announcement_id = ${id} and recipient.guardian_id = pair.guardian_id
      on conflict do nothing`.execute(db);
    const guardiansOf = (rows: typeof added) => rows.flatMap(({ guardianId }) => guardianId ?? []);
    const staffOf = (rows: typeof added) => rows.flatMap(({ staffId }) => staffId ?? []);
    const [comingGuardians, comingStaff] = [guardiansOf([...added, ...back]), staffOf([...added, ...back])];

    await sql`update notice set read_at = ${now()} where id in (
      select told.id from notice told join sign_in_account account on account.id = told.account_id
      where told.dedupe_key = ${`announcement ${id}`} and told.read_at is null
        and account.staff_id = any(${staffOf(removed)}::integer[]) order by told.account_id for update of told)`.execute(
      db,
    );
    await notify(ctx, {
      to: { staff: comingStaff },
      kind: 'announcement.published',
      text: text`You have a further announcement.`,
      path: pageOf(id),
      key: `announcement ${id}`,
    });
    const runId = await beginRound(ctx, id, {
      kind: 'Added',
      guardians: sql`select guardian_id from (${receiving(id)}) as told
        where guardian_id = any(${comingGuardians}::integer[]) and not exists (
          select from announcement_delivery sent where sent.announcement_id = ${id} and sent.guardian_id = told.guardian_id)`,
    });
    await db.updateTable('announcement').set({ version: sql`version + 1` }).where('id', '=', id).execute();
    const details = { For: `${wordsOf(before)} → ${wordsOf(after)}` };
    const act = { action: 'announcement.people-changed', entity: 'announcement', entityId: id };
    await audit(ctx, { ...act, version: version + 1, details });
    const answer = {
      ...reach,
      added: { guardians: comingGuardians.length, staff: comingStaff.length },
      removed: { guardians: guardiansOf(removed).length, staff: staffOf(removed).length },
      runId,
    };
    return { answer, basis: [id, version, audience, { ...answer, runId: null }] };
  });
