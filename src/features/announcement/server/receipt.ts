import { type RawBuilder, sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import { announcementMessages as messages } from '../contract/announcement.ts';
import { isLive } from './scope.ts';

/** A person that reads announcements: a member of staff, or the guardian of a link. */
export interface Reader {
  column: 'staff_id' | 'guardian_id';
  id: number;
  via: 'Feed' | 'Family page';
  /** Whether `notice` is for this person today. */
  isFor: RawBuilder<boolean>;
}

/** Notes a receipt of a text that counts. Throws `not_found`, `conflict`, `stale`. */
export async function note(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { column, id: reader, via, isFor }: Reader,
  { id, number }: { id: number; number: number },
  kind: 'Seen' | 'Acknowledged',
): Promise<Record<string, never>> {
  const { rows } = await sql<{ isLive: boolean; from: number; last: number; asks: boolean; isReleased: boolean }>`
    select ${isLive(now())} as "isLive", notice.counts_from as from, notice.current_version as last,
      notice.needs_acknowledgement as asks, notice.released_at is not null as "isReleased"
    from announcement notice
    where notice.id = ${id} and notice.state <> 'Draft' and ${isFor} for share of notice`.execute(db);
  const [notice] = rows;
  if (!notice) throw new AppError('not_found', notFoundMessage);
  if (!notice.isLive) throw new AppError('conflict', messages.hasEnded);
  if (number < notice.from || number > notice.last) throw new AppError('stale', messages.newText);
  if (kind === 'Acknowledged' && !notice.asks) throw new AppError('conflict', messages.hasEnded);
  const kinds = kind === 'Acknowledged' ? ['Seen', 'Acknowledged'] : ['Seen'];
  const [guardianId, staffId] = column === 'guardian_id' ? [reader, null] : [null, reader];
  await sql`insert into announcement_receipt (announcement_id, version, kind, guardian_id, staff_id, at, via)
    select ${id}::integer, ${number}::smallint, kind, ${guardianId}::integer, ${staffId}::integer, ${now()}, ${via}::text
    from unnest(${kinds}::text[]) as kind on conflict do nothing`.execute(db);
  // A reader who came after it was published is a recipient from now on.
  await sql`insert into announcement_recipient (announcement_id, guardian_id, staff_id, joined_later)
    values (${id}, ${guardianId}, ${staffId}, ${notice.isReleased}) on conflict do nothing`.execute(db);
  return {};
}
