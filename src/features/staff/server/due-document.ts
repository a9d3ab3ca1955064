import { type RawBuilder, sql } from 'kysely';
import { reminderDays } from '#features/hris/contract/masters.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { documentStates } from '../contract/document.ts';
import { hasLeft, isSpellOfDay } from './standing.ts';
import { isKept } from './visible.ts';

type DocumentState = (typeof documentStates)[number];

const mostReminderDays = Math.max(...reminderDays.map(Number));

/** How many days before its last day a document of a `type` is due; a type without reminders is due once it has expired. */
export const firstReminder = sql<number>`coalesce((select max(days::integer) from unnest(type.remind_before) as days), -1)`;

/** True of a document `type` that this person can have today: one of all staff, or of the person's category. */
export const isTypeOf = (staffId: RawBuilder<number>, today: string) => sql<boolean>`(type.is_active
  and (type.staff_category_id is null or exists (select from staff_post as post
    where post.staff_id = ${staffId} and post.staff_category_id = type.staff_category_id
      and post.effective_from <= ${today} and coalesce(post.effective_to, 'infinity') >= ${today})))`;

/** True of a mandatory document `type` of which this person has neither a verified nor a waiting document. */
export const isMissing = (staffId: RawBuilder<number>) => sql<boolean>`(type.is_mandatory and not exists (
  select from staff_document as had where had.staff_id = ${staffId} and had.document_type_id = type.id
    and had.status <> 'Rejected'))`;

/**
 * What HR has to do about documents: a row for each person and type whose newest verified document has expired or soon
 * will, or of which a mandatory one is missing, and one for each document that waits.
 */
export const openDocuments = (today: string) => {
  const [own, person] = [sql<number>`own.staff_id`, sql<number>`person.id`];
  return sql<{ staff_id: number; state: DocumentState; document_id: number | null }>`(
    select own.staff_id, own.id as document_id, case when own.expires_on < ${today} then 'Expired' else 'Expiring' end as state
    from staff_document as own join hris_document_type as type on type.id = own.document_type_id
    where own.status = 'Verified' and own.expires_on <= ${addDays(today, mostReminderDays)}
      and own.expires_on - ${today}::date <= ${firstReminder} and ${isTypeOf(own, today)}
      and not exists (select from staff_document as later where later.staff_id = own.staff_id
        and later.document_type_id = own.document_type_id and later.status = 'Verified'
        and (coalesce(later.expires_on, 'infinity'), later.id) > (own.expires_on, own.id))
    union all
    select person.id, null, 'Missing' from staff as person cross join hris_document_type as type
    where ${isTypeOf(person, today)} and ${isMissing(person)}
    union all
    select staff_id, id, 'Waiting' from staff_document where status = 'Waiting')`;
};

/** True of a row of `openDocuments` that is due. */
export const isDue = sql<boolean>`state <> 'Waiting'`;

/** True in a query of `staff` and their `spell` of the day of the people here, now or later, whose documents the user keeps. */
export const hasKeptDocuments = (user: User, today: string) =>
  sql<boolean>`(not ${hasLeft(today)} and ${isKept(user, today)})`;

/** How many documents of these people are due, by staff id; of people whose documents the user does not keep, unknown. */
export async function countDue(
  { db, user, now }: UserContext,
  staffIds: readonly number[],
): Promise<Map<number, number>> {
  const today = toLocalDate(now());
  const { rows } = await sql<{ id: number; due: number }>`
    select staff.id, (select count(*) from ${openDocuments(today)} as open
      where open.staff_id = staff.id and ${isDue})::integer as due
    from staff join staff_employment as spell on spell.staff_id = staff.id and ${isSpellOfDay(today)}
    where staff.id = any(${staffIds}::integer[]) and ${hasKeptDocuments(user, today)}`.execute(db);
  return new Map(rows.map(({ id, due }) => [id, due]));
}
