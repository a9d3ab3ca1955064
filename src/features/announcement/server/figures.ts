import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { Announcement } from '../contract/announcement.ts';

export type Figures = NonNullable<Announcement['figures']>;

/** The query of recipients with what they did: `announcement_id`, `guardian_id`, `staff_id`, `is_read`, `is_acknowledged`. */
export const recipients = (ids: readonly number[] | RawBuilder<unknown>) => sql`
  select recipient.id, recipient.announcement_id, recipient.guardian_id, recipient.staff_id, recipient.joined_later,
    seen.at as seen_at, acknowledged.at as acknowledged_at
  from announcement_recipient recipient
  join announcement notice on notice.id = recipient.announcement_id
  left join lateral (select min(at) as at from announcement_receipt receipt
    where receipt.announcement_id = notice.id and receipt.kind = 'Seen' and receipt.version >= notice.counts_from
      and (receipt.guardian_id = recipient.guardian_id or receipt.staff_id = recipient.staff_id)) as seen on true
  left join lateral (select min(at) as at from announcement_receipt receipt
    where receipt.announcement_id = notice.id and receipt.kind = 'Acknowledged' and receipt.version >= notice.counts_from
      and (receipt.guardian_id = recipient.guardian_id or receipt.staff_id = recipient.staff_id)) as acknowledged on true
  where recipient.announcement_id = any(${'length' in ids ? [...ids] : ids}::integer[]) and recipient.removed_at is null`;

/**
 * All recipients of one announcement as `recipients` has them, with receipts grouped once instead of found for each; of one
 * text with the receipts of that text.
 */
export const recipientsOf = (id: number, text?: number) => sql`
  select recipient.id, recipient.announcement_id, recipient.guardian_id, recipient.staff_id, recipient.joined_later,
    done.seen_at, done.acknowledged_at
  from announcement_recipient recipient
  left join (
    select coalesce(receipt.guardian_id, -receipt.staff_id) as person, min(at) filter (where receipt.kind = 'Seen') as seen_at,
      min(at) filter (where receipt.kind = 'Acknowledged') as acknowledged_at
    from announcement_receipt receipt
    join announcement notice on notice.id = receipt.announcement_id
      and ${text ? sql`receipt.version = ${text}` : sql`receipt.version >= notice.counts_from`}
    where receipt.announcement_id = ${id} group by person) as done
    on done.person = coalesce(recipient.guardian_id, -recipient.staff_id)
  where recipient.announcement_id = ${id} and recipient.removed_at is null`;

/**
 * Who has done what in a text that counts: one row for a person of an announcement, `person` being a guardian or, below
 * zero, a member of staff. For all readers at once; `recipients` finds the receipts of a few by index.
 */
const done = (ids: readonly number[]) => sql`
  select receipt.announcement_id, coalesce(receipt.guardian_id, -receipt.staff_id) as person,
    bool_or(receipt.kind = 'Seen') as has_seen, bool_or(receipt.kind = 'Acknowledged') as has_acknowledged
  from announcement_receipt receipt
  join announcement notice on notice.id = receipt.announcement_id and receipt.version >= notice.counts_from
  where receipt.announcement_id = any(${[...ids]}::integer[])
  group by receipt.announcement_id, person`;

/**
 * Readers so far, by the id of the announcement. A child is done when one of its guardians has acknowledged; children are
 * counted where the announcement asks for that.
 */
export async function readFigures({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<Map<number, Figures>> {
  const { rows } = await sql<Figures & { id: number }>`
    with reader as materialized (
      select recipient.id, recipient.announcement_id, recipient.guardian_id, recipient.staff_id,
        coalesce(done.has_seen, false) as has_seen, coalesce(done.has_acknowledged, false) as has_acknowledged
      from announcement_recipient recipient
      left join (${done(ids)}) as done on done.announcement_id = recipient.announcement_id
        and done.person = coalesce(recipient.guardian_id, -recipient.staff_id)
      where recipient.announcement_id = any(${[...ids]}::integer[]) and recipient.removed_at is null),
    child as (
      select reader.announcement_id, own.student_id, bool_or(reader.has_acknowledged) as is_acknowledged
      from reader
      join announcement notice on notice.id = reader.announcement_id and notice.needs_acknowledgement
      join announcement_recipient_child own on own.recipient_id = reader.id
      group by reader.announcement_id, own.student_id),
    children as (
      select announcement_id, count(*)::integer as children, count(*) filter (where is_acknowledged)::integer as acknowledged
      from child group by announcement_id)
    select reader.announcement_id as id,
      count(guardian_id)::integer as guardians,
      (count(guardian_id) filter (where has_seen))::integer as "guardiansRead",
      coalesce(min(children.children), 0)::integer as children,
      coalesce(min(children.acknowledged), 0)::integer as "childrenAcknowledged",
      count(staff_id)::integer as staff,
      (count(staff_id) filter (where has_seen))::integer as "staffRead",
      (count(staff_id) filter (where has_acknowledged))::integer as "staffAcknowledged"
    from reader left join children on children.announcement_id = reader.announcement_id
    group by reader.announcement_id`.execute(db);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
