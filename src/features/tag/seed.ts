import type { FastifyInstance } from 'fastify';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';

const tags = [
  { group: 'Support', name: 'Reading help', colour: 'Teal', scopes: ['Student', 'Observation', 'Homework'] },
  { group: 'Support', name: 'Speech therapy', colour: 'Purple', scopes: ['Student'], is_restricted: true },
  { group: 'Talent', name: 'Sports', colour: 'Green', scopes: ['Student', 'Admission'] },
  { group: 'Talent', name: 'Music', colour: 'Indigo', scopes: ['Student', 'Admission'] },
  { group: 'Office', name: 'Urgent', colour: 'Red', scopes: ['Ticket', 'Announcement'] },
];

/** One in this many students has the tag. */
const studentsPerTag: Record<string, number> = { Sports: 10, Music: 15, 'Reading help': 25, 'Speech therapy': 90 };

/** Tags in their groups, and the students who have them. */
export async function seed({ db }: Context, _app: FastifyInstance, plan: SeedPlan) {
  const groups = await db
    .insertInto('configuration_tag_group')
    .values([...new Set(tags.map(({ group }) => group))].map((name) => ({ name })))
    .returning(['id', 'name'])
    .execute();
  const groupOf = new Map(groups.map(({ id, name }) => [name, id]));
  const made = await db
    .insertInto('configuration_tag')
    .values(tags.map(({ group, ...tag }) => ({ ...tag, tag_group_id: groupOf.get(group) ?? 0 })))
    .returning(['id', 'name'])
    .execute();
  const students = await db.selectFrom('student').where('left_on', 'is', null).select('id').orderBy('id').execute();
  const random = plan.random('tags');
  const links = made.flatMap((tag) =>
    students
      .filter(() => studentsPerTag[tag.name] && random.isOnceIn(studentsPerTag[tag.name] ?? 1))
      .map(({ id }) => ({ tag_id: tag.id, entity_type: 'Student', entity_id: id })),
  );
  await insertRows(db, 'tag_link', links);
}
