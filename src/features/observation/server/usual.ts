import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import type { DomainDraft } from '../contract/rubric.ts';
import { publishVersion, writeDomains } from './write-version.ts';

type Seeding = Pick<UserContext, 'db' | 'now' | 'constraintMessages'> & Partial<Pick<UserContext, 'user'>>;

const notObserved = ['Not observed', null] as const;

const scales: Readonly<Record<string, readonly (readonly [string, number | null, string?])[]>> = {
  Frequency: [
    ['Rarely', 1, 'Red'],
    ['Sometimes', 2, 'Amber'],
    ['Often', 3, 'Teal'],
    ['Always', 4, 'Green'],
    notObserved,
  ],
  Lesson: [
    ['Missing', 0, 'Red'],
    ['Weak', 1, 'Orange'],
    ['Fair', 2, 'Amber'],
    ['Good', 3, 'Teal'],
    ['Strong', 4, 'Green'],
    notObserved,
  ],
};

type Domains = Readonly<Record<string, { weight?: number; indicators: readonly string[]; critical?: string }>>;

interface UsualRubric {
  name: string;
  forWhom: 'Student' | 'Staff';
  scale: string;
  domains: Domains;
}

const rubrics: readonly UsualRubric[] = [
  {
    name: 'Classroom behaviour',
    forWhom: 'Student',
    scale: 'Frequency',
    domains: {
      Attention: {
        indicators: ['Listens while others speak.', 'Begins work without a reminder.', 'Finishes what was begun.'],
      },
      'Working together': {
        indicators: ['Takes turns.', 'Shares material.', 'Helps others without doing it for them.'],
      },
      Care: { indicators: ['Keeps books and bag in order.', 'Treats the things of others with care.'] },
    },
  },
  {
    name: 'Social and emotional checklist',
    forWhom: 'Student',
    scale: 'Frequency',
    domains: {
      Feelings: { indicators: ['Names own feelings.', 'Calms down after an upset.', 'Asks for help when stuck.'] },
      Friendship: {
        indicators: ['Joins a group at play.', 'Settles a quarrel with words.', 'Notices when another is sad.'],
      },
    },
  },
  {
    name: 'Classroom walk-through',
    forWhom: 'Staff',
    scale: 'Lesson',
    domains: {
      Planning: {
        weight: 2000,
        indicators: ['The aim of the lesson is clear to students.', 'Material and time fit the aim.'],
      },
      Delivery: {
        weight: 3000,
        indicators: [
          'Explains in steps, with examples.',
          'Questions reach many students.',
          'Students are safe and respected.',
        ],
        critical: 'Students are safe and respected.',
      },
      Engagement: { weight: 2000, indicators: ['Most students are at work most of the time.'] },
      Assessment: { weight: 2000, indicators: ['Checks understanding before moving on.'] },
      Environment: { weight: 1000, indicators: ['The room is orderly and work is on display.'] },
    },
  },
];

const types = [
  { name: 'Anecdotal note', for_whom: 'Student', kind: 'Anecdotal', rubric: '', usual_reach: 'Class teachers' },
  {
    name: 'Counselling note',
    for_whom: 'Student',
    kind: 'Anecdotal',
    rubric: '',
    usual_reach: 'Restricted',
    authors: '{Counsellor,Principal}',
  },
  {
    name: 'Classroom behaviour',
    for_whom: 'Student',
    kind: 'Rubric',
    rubric: 'Classroom behaviour',
    usual_reach: 'All teachers',
  },
  {
    name: 'Social and emotional checklist',
    for_whom: 'Student',
    kind: 'Checklist',
    rubric: 'Social and emotional checklist',
    usual_reach: 'Class teachers',
  },
  {
    name: 'Classroom walk-through',
    for_whom: 'Staff',
    kind: 'Rubric',
    rubric: 'Classroom walk-through',
    usual_reach: '',
  },
];

const actions = [
  'Talk to the student',
  'Talk to the family',
  'Extra practice',
  'Praise in class',
  'See the counsellor',
];

/** Adds the usual scales, published rubrics, types and actions; returns the number of types. */
export async function addUsual(ctx: Seeding): Promise<number> {
  const { db } = ctx;
  for (const [name, levels] of Object.entries(scales)) {
    await db
      .insertInto('observation_scale')
      .values({ name })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`insert into observation_level (scale_id, label, points, colour)
      select scale.id, level.label, level.points, level.colour from observation_scale scale,
        unnest(${levels.map(([label]) => label)}::text[], ${levels.map(([, points]) => points)}::smallint[],
          ${levels.map(([, , colour]) => colour ?? '')}::text[]) as level (label, points, colour)
      where lower(scale.name) = lower(${name}) on conflict do nothing`.execute(db);
  }
  for (const rubric of rubrics) await addRubric(ctx, rubric);
  await sql`insert into observation_type (name, for_whom, kind, usual_reach, authors, rubric_id)
    select type.name, type.for_whom, type.kind, type.usual_reach, coalesce(type.authors, '{}'), rubric.id
    from jsonb_to_recordset(${JSON.stringify(types)}::jsonb)
      as type (name text, for_whom text, kind text, rubric text, usual_reach text, authors text[])
    left join observation_rubric rubric on rubric.for_whom = type.for_whom and rubric.name = type.rubric`.execute(db);
  await sql`insert into observation_action (name) select unnest(${actions}::text[]) on conflict do nothing`.execute(db);
  return types.length;
}

async function addRubric(ctx: Seeding, { name, forWhom, scale, domains }: UsualRubric) {
  const { rows } = await sql<{ rubric: number; version: number; scale: number }>`
    with rubric as (insert into observation_rubric (name, for_whom) values (${name}, ${forWhom}) returning id)
    insert into observation_rubric_version (rubric_id, number, scale_id)
    select rubric.id, 1, scale.id from rubric, observation_scale scale where lower(scale.name) = lower(${scale})
    returning rubric_id as rubric, id as version, scale_id as scale`.execute(ctx.db);
  const [made] = rows;
  if (!made) return;
  const drafts: DomainDraft[] = Object.entries(domains).map(([domain, { weight = null, indicators, critical }]) => ({
    name: domain,
    weight,
    indicators: indicators.map((text) => ({ text, isCritical: text === critical, descriptors: [] })),
  }));
  await writeDomains(ctx, made.version, made.scale, drafts, forWhom === 'Staff');
  await publishVersion(ctx, made.rubric, made.version);
}
