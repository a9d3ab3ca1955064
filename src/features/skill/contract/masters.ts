import { stages } from '#features/academic/contract/masters.ts';
import { admin } from '#features/account/contract/access.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';

const access = [admin()];

export const skillDomainMaster = defineMaster({
  table: 'configuration_skill_domain',
  path: '/configuration/skill-domain',
  singular: 'skill domain',
  plural: 'skill domains',
  description: 'What skills are grouped by: physical, cognitive, language and so on.',
  access,
  fields: { name: field.text('Name', { max: 60 }) },
  isOrdered: true,
});

export const skillMaster = defineMaster({
  table: 'configuration_skill',
  path: '/configuration/skill',
  singular: 'skill',
  plural: 'skills',
  description: 'What observations and homework give evidence for.',
  access,
  fields: {
    name: field.text('Name', { max: 80 }),
    skillDomainId: field.ref('Domain', { to: namedBy(skillDomainMaster) }),
    code: field.text('Code', { max: 10, optional: true }),
    stages: field.someOf('Stages', { options: stages }),
    description: field.longText('Description', { max: 500, optional: true }),
  },
  key: ['skillDomainId', 'name'],
});

const descriptor = (stage: string) => field.longText(`At the ${stage} stage`, { max: 300, optional: true });

export const skillLevelMaster = defineMaster({
  table: 'configuration_skill_level',
  path: '/configuration/skill-level',
  singular: 'level',
  plural: 'levels',
  description: 'How far a child has come with a skill: two to six levels.',
  access,
  fields: {
    name: field.text('Name', { max: 30 }),
    foundational: descriptor('foundational'),
    preparatory: descriptor('preparatory'),
    middle: descriptor('middle'),
    secondary: descriptor('secondary'),
  },
  isOrdered: true,
  constraintMessages: {
    configuration_skill_level_count: {
      field: 'isActive',
      message: 'Two to six levels are active, neither fewer nor more.',
    },
  },
});

/** The tabs of the Skill Master. */
export const skillMasters = [skillMaster, skillDomainMaster, skillLevelMaster] as const;
