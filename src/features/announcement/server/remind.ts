import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type announcementApi, announcementMessages as messages } from '../contract/announcement.ts';
import { isAnswered } from '../contract/asks.ts';
import { recipientsOf } from './figures.ts';
import { beginRound, pageOf, receiving } from './release.ts';
import { type Locked, lockOwn } from './save.ts';

const mostReminders = 3;
const hoursBetween = 24;

const tooMany = text`Readers were reminded ${{ most: mostReminders }} times already.`;
const tooSoon = text`Wait ${{ hours: hoursBetween }} hours after the last message.`;
const allAnswered = text`All children have an answer.`;
const nobodyLeft = text`All have read it.`;

/** Why readers of an announcement can't be reminded now; undefined where they can. */
export async function remindable({ db, now }: Pick<Context, 'db' | 'now'>, id: number): Promise<Text | undefined> {
  const { rows } = await sql<{ reminders: number; isRecent: boolean }>`
    select (count(*) filter (where kind = 'Reminder'))::integer as reminders,
      coalesce(max(started_at) filter (where kind = 'Reminder') > ${now()}::timestamptz - make_interval(hours => ${hoursBetween}), false) as "isRecent"
    from announcement_round where announcement_id = ${id}`.execute(db);
  const [past] = rows;
  if ((past?.reminders ?? 0) >= mostReminders) return tooMany;
  return past?.isRecent ? tooSoon : undefined;
}

/** The recipients who have not done what is asked: of a child whom one guardian has acknowledged or answered for, neither. Guardians whose answers differ are reminded until they agree. */
const undone = ({ id, needs_acknowledgement: asks, asks: word }: Locked, day: string) =>
  isAnswered(word)
    ? sql`
  with reader as (${recipientsOf(id)})
  select reader.* from reader
  join (select distinct pair.guardian_id from announcement_pairs(${id}, ${day}::date) as pair
    where pair.student_id not in (select student_id from announcement_answers(${id}, null) where not differs)) as open
    on open.guardian_id = reader.guardian_id`
    : sql`
  with reader as (${recipientsOf(id)})
  select reader.* from reader
  where ${asks ? sql`acknowledged_at is null` : sql`seen_at is null`}
    and (reader.guardian_id is null or not ${asks} or exists (
      select from announcement_recipient_child own where own.recipient_id = reader.id and not exists (
        select from reader other join announcement_recipient_child same on same.recipient_id = other.id
        where same.student_id = own.student_id and other.acknowledged_at is not null)))`;

export const remind: Handler<typeof announcementApi.remind> = (ctx, { id, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => remindReaders(ctx, await lockOwn(ctx, id)));

/** Reminds the readers of a locked announcement. Throws `conflict` where there is nobody to remind now. */
export async function remindReaders(ctx: UserContext, notice: Locked) {
  const { db, now } = ctx;
  const { id } = notice;
  if (notice.state !== 'Ready' || !notice.released_at || (notice.expires_at && notice.expires_at <= now()))
    throw new AppError('conflict', messages.hasEnded);
  const reason = await remindable(ctx, id);
  if (reason) throw new AppError('conflict', reason);
  const left = undone(notice, toLocalDate(now()));
  if (isAnswered(notice.asks) && (notice.acknowledge_by ?? '') < toLocalDate(now()))
    throw new AppError('conflict', messages.lastDayPassed);
  const { rows } = await sql<{ guardians: number[]; receiving: number[]; staff: number[] }>`
      with own as (${left}), told as (${receiving(id)})
      select coalesce(array_agg(guardian_id order by guardian_id) filter (where guardian_id is not null), '{}') as guardians,
        coalesce(array_agg(guardian_id order by guardian_id) filter (where guardian_id in (select guardian_id from told)), '{}') as receiving,
        coalesce(array_agg(staff_id order by staff_id) filter (where staff_id is not null), '{}') as staff from own`.execute(
    db,
  );
  const found = rows[0] ?? { guardians: [], receiving: [], staff: [] };
  if (found.guardians.length + found.staff.length === 0)
    throw new AppError('conflict', isAnswered(notice.asks) ? allAnswered : nobodyLeft);
  const chosen = sql`select unnest(${found.receiving}::integer[]) as guardian_id`;
  const runId = await beginRound(ctx, id, { kind: 'Reminder', guardians: chosen });
  await notify(ctx, {
    to: { staff: found.staff },
    kind: 'announcement.reminder',
    text: notice.needs_acknowledgement
      ? text`An announcement is waiting for your acknowledgement.`
      : text`You have not read an announcement.`,
    path: pageOf(id),
    key: `announcement ${id}`,
  });
  const details = { Guardians: found.guardians.length, Staff: found.staff.length };
  await audit(ctx, { action: 'announcement.reminded', entity: 'announcement', entityId: id, details });
  return {
    answer: {
      guardians: found.guardians.length,
      staff: found.staff.length,
      unreached: found.guardians.length - found.receiving.length,
      runId,
    },
    basis: [id, notice.version, found],
  };
}
