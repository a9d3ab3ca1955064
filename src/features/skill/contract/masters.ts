import { admin } from '#access/contract/grants.ts';
import { stages } from '#features/academic/contract/masters.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { type Text, text } from '#kit/contract/text.ts';

const access = [admin()];

export const skillDomainMaster = defineMaster({
  table: 'configuration_skill_domain',
  path: '/configuration/skill-domain',
  singular: text`skill domain`,
  plural: text`skill domains`,
  access,
  fields: { name: field.text(text`Name`, { max: 60 }) },
  isOrdered: true,
});

export const skillMaster = defineMaster({
  table: 'configuration_skill',
  path: '/configuration/skill',
  singular: text`skill`,
  plural: text`skills`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 80 }),
    skillDomainId: field.ref(text`Domain`, { to: namedBy(skillDomainMaster) }),
    code: field.text(text`Code`, { max: 10, optional: true }),
    stages: field.someOf(text`Stages`, { options: stages }),
    description: field.longText(text`Description`, { max: 500, optional: true }),
  },
  key: ['skillDomainId', 'name'],
});

const descriptor = (label: Text) => field.longText(label, { max: 300, optional: true });

export const skillLevelMaster = defineMaster({
  table: 'configuration_skill_level',
  path: '/configuration/skill-level',
  singular: text`level`,
  plural: text`levels`,
  description: text`Levels of progress in a skill, two to six of them active.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 30 }),
    foundational: descriptor(text`Meaning at the foundational stage`),
    preparatory: descriptor(text`Meaning at the preparatory stage`),
    middle: descriptor(text`Meaning at the middle stage`),
    secondary: descriptor(text`Meaning at the secondary stage`),
  },
  isOrdered: true,
  constraintMessages: {
    configuration_skill_level_count: {
      field: 'isActive',
      message: text`Keep two to six levels active.`,
    },
  },
});

export const skillMasters = [skillMaster, skillDomainMaster, skillLevelMaster] as const;
