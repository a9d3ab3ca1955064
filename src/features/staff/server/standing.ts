import { sql } from 'kysely';
import type { staffStatuses } from '../contract/record.ts';

/** True of a person's `spell` of the day, or else of their next one, or else of their last one. */
export const isSpellOfDay = (day: string) => sql<boolean>`not exists (select from staff_employment as other
  where other.staff_id = spell.staff_id and case when coalesce(spell.last_day, 'infinity') < ${day}
    then other.joined_on > spell.joined_on
    else other.joined_on < spell.joined_on and coalesce(other.last_day, 'infinity') >= ${day} end)`;

/** The same of a person's `post`. */
export const isPostOfDay = (day: string) => sql<boolean>`not exists (select from staff_post as other
  where other.staff_id = post.staff_id and case when coalesce(post.effective_to, 'infinity') < ${day}
    then other.effective_from > post.effective_from
    else other.effective_from < post.effective_from and coalesce(other.effective_to, 'infinity') >= ${day} end)`;

/** True of the `spell` of the day of a person who has left by then. */
export const hasLeft = (day: string) => sql<boolean>`coalesce(spell.last_day < ${day}, false)`;

/** True of the `spell` of the day of a person who joins later. */
export const joinsLater = (day: string) => sql<boolean>`spell.joined_on > ${day}`;

/** A person's status, from their `spell` of the day. */
export const statusOn = (day: string) => sql<(typeof staffStatuses)[number]>`case when ${hasLeft(day)} then 'Left'
  when ${joinsLater(day)} then 'Joining' else 'Active' end`;
