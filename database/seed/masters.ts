import type { Database } from '#kit/server/database/database.ts';

const houses = [
  ['Ganga', 'Blue'],
  ['Narmada', 'Green'],
  ['Tapi', 'Amber'],
  ['Sabarmati', 'Red'],
] as const;

const rooms = [
  ...['101', '102', '103', '201', '202', '203'].map((name) => ({ name, kind: 'Classroom', capacity: 30 })),
  { name: 'Science laboratory', kind: 'Laboratory', capacity: 24 },
  { name: 'Library', kind: 'Library', capacity: 40 },
];

const tags = [
  { group: 'Support', name: 'Reading help', colour: 'Teal', scopes: ['Student', 'Observation', 'Homework'] },
  { group: 'Support', name: 'Speech therapy', colour: 'Purple', scopes: ['Student'], is_restricted: true },
  { group: 'Talent', name: 'Sports', colour: 'Green', scopes: ['Student', 'Admission'] },
  { group: 'Talent', name: 'Music', colour: 'Indigo', scopes: ['Student', 'Admission'] },
  { group: 'Office', name: 'Urgent', colour: 'Red', scopes: ['Ticket', 'Announcement'] },
];

/** The domains of skills, each with a few. */
const skills: Record<string, string[]> = {
  Physical: ['Balance and coordination', 'Fine movements of the hand'],
  'Socio-emotional': ['Works with others', 'Names feelings'],
  Cognitive: ['Sorts and compares', 'Solves a problem in steps'],
  'Language and literacy': ['Listens and retells', 'Reads aloud with expression'],
  Aesthetic: ['Keeps a rhythm'],
  'Learning habits': ['Finishes what is begun'],
};

const departments = ['Primary', 'Languages', 'Accounts', 'Front office'];
const designations = ['Principal', 'Head of department', 'Teacher', 'Office assistant'];

/** What a school has set up by the middle of a year: terms, houses, rooms, departments, designations, tags and skills. */
export async function seedMasters(db: Database) {
  const branch = await db.selectFrom('academic_branch').select('id').executeTakeFirstOrThrow();
  const years = await db.selectFrom('academic_year').select(['id', 'starts_on', 'ends_on']).execute();
  await db
    .insertInto('academic_term')
    .values(
      years.flatMap(({ id, starts_on, ends_on }) => {
        const year = Number(starts_on.slice(0, 4));
        return [
          { academic_year_id: id, name: 'First term', starts_on, ends_on: `${year}-10-31` },
          { academic_year_id: id, name: 'Second term', starts_on: `${year}-11-01`, ends_on },
        ];
      }),
    )
    .execute();
  await db
    .insertInto('academic_house')
    .values(houses.map(([name, colour]) => ({ name, colour })))
    .execute();
  await db
    .insertInto('academic_room')
    .values(rooms.map((room) => ({ ...room, branch_id: branch.id, building: 'Main building' })))
    .execute();
  await db
    .insertInto('academic_department')
    .values(departments.map((name) => ({ name })))
    .execute();
  await db
    .insertInto('academic_designation')
    .values(designations.map((name, index) => ({ name, level: index + 1 })))
    .execute();
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
  const domains = await db
    .insertInto('configuration_skill_domain')
    .values(Object.keys(skills).map((name, index) => ({ name, position: index + 1 })))
    .returning(['id', 'name'])
    .execute();
  await db
    .insertInto('configuration_skill')
    .values(
      domains.flatMap(({ id, name }) =>
        (skills[name] ?? []).map((skill) => ({
          skill_domain_id: id,
          name: skill,
          stages: ['Foundational', 'Preparatory'],
        })),
      ),
    )
    .execute();
}
