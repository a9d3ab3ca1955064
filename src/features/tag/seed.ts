import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

const tags = [
  { group: 'Support', name: 'Reading help', colour: 'Teal', scopes: ['Student', 'Observation', 'Homework'] },
  { group: 'Support', name: 'Speech therapy', colour: 'Purple', scopes: ['Student'], is_restricted: true },
  { group: 'Talent', name: 'Sports', colour: 'Green', scopes: ['Student', 'Admission'] },
  { group: 'Talent', name: 'Music', colour: 'Indigo', scopes: ['Student', 'Admission'] },
  { group: 'Office', name: 'Urgent', colour: 'Red', scopes: ['Ticket', 'Announcement'] },
];

/** Tags in their groups, and every tenth student tagged as being in a team. */
export async function seed({ db }: Context) {
  const groups = await db
    .insertInto('configuration_tag_group')
    .values([...new Set(tags.map(({ group }) => group))].map((name) => ({ name })))
    .returning(['id', 'name'])
    .execute();
  const groupOf = new Map(groups.map(({ id, name }) => [name, id]));
  await db
    .insertInto('configuration_tag')
    .values(tags.map(({ group, ...tag }) => ({ ...tag, tag_group_id: groupOf.get(group) ?? 0 })))
    .execute();
  await sql`insert into tag_link (tag_id, entity_type, entity_id)
    select tag.id, 'Student', student.id from configuration_tag tag, student
    where tag.name = 'Sports' and student.id % 10 = 0`.execute(db);
}
