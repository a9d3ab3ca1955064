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

/** Readers so far, by the id of the announcement. A child is done when one of its guardians has acknowledged. */
export async function readFigures({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<Map<number, Figures>> {
  const { rows } = await sql<Figures & { id: number }>`
    with reader as materialized (${recipients(ids)}),
    child as (
      select reader.announcement_id, own.student_id, bool_or(reader.acknowledged_at is not null) as is_acknowledged
      from reader join announcement_recipient_child own on own.recipient_id = reader.id
      group by reader.announcement_id, own.student_id),
    children as (
      select announcement_id, count(*)::integer as children, count(*) filter (where is_acknowledged)::integer as acknowledged
      from child group by announcement_id)
    select reader.announcement_id as id,
      count(guardian_id)::integer as guardians,
      (count(guardian_id) filter (where seen_at is not null))::integer as "guardiansRead",
      coalesce(min(children.children), 0)::integer as children,
      coalesce(min(children.acknowledged), 0)::integer as "childrenAcknowledged",
      count(staff_id)::integer as staff,
      (count(staff_id) filter (where seen_at is not null))::integer as "staffRead",
      (count(staff_id) filter (where acknowledged_at is not null))::integer as "staffAcknowledged"
    from reader left join children on children.announcement_id = reader.announcement_id
    group by reader.announcement_id`.execute(db);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
