import { stages } from '#features/academic/contract/masters.ts';
import { admin } from '#features/sign-in/contract/access.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';

const access = [admin()];

export const subjectMaster = defineMaster({
  table: 'configuration_subject',
  path: '/configuration/subject',
  one: 'subject',
  many: 'subjects',
  what: 'Everything that is taught.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    code: field.text('Code', { max: 10 }),
    shortName: field.text('Short name', { max: 12 }),
    kind: field.oneOf('Kind', { options: ['Scholastic', 'Co-scholastic', 'Language', 'Vocational', 'Activity'] }),
    languageOrder: field.oneOf('Language order', {
      options: ['First', 'Second', 'Third'],
      optional: true,
      isAside: true,
      hint: 'Of a language: whether it is learnt as the first, second or third.',
    }),
    hasPractical: field.yesNo('With practical'),
    colour: field.oneOf('Colour', { options: colours, optional: true, isAside: true }),
  },
});

export const electiveGroupMaster = defineMaster({
  table: 'configuration_elective_group',
  path: '/configuration/elective-group',
  one: 'elective group',
  many: 'elective groups',
  what: 'Subjects of which a child chooses some.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    minChoices: field.number('At least', { least: 0, most: 10, hint: 'How many of its subjects a child must choose.' }),
    maxChoices: field.number('At most', { least: 1, most: 10 }),
  },
  refusals: {
    configuration_elective_group_choices: { field: 'maxChoices', says: 'At most cannot be less than at least.' },
    configuration_elective_group_chosen: {
      field: 'maxChoices',
      says: 'Some students have chosen more of this group already.',
    },
  },
});

export const tagGroupMaster = defineMaster({
  table: 'configuration_tag_group',
  path: '/configuration/tag-group',
  one: 'tag group',
  many: 'tag groups',
  what: 'Tags of one kind, such as Support or Talent.',
  access,
  fields: { name: field.text('Name', { max: 30 }) },
});

export const tagScopes = [
  'Student',
  'Staff',
  'Observation',
  'Homework',
  'Ticket',
  'Announcement',
  'Admission',
] as const;

export const tagMaster = defineMaster({
  table: 'configuration_tag',
  path: '/configuration/tag',
  one: 'tag',
  many: 'tags',
  what: 'Words by which records are grouped and found again.',
  access,
  fields: {
    name: field.text('Name', { max: 30 }),
    tagGroupId: field.ref('Group', { to: namedBy(tagGroupMaster) }),
    colour: field.oneOf('Colour', { options: colours }),
    scopes: field.someOf('For', { options: tagScopes }),
    isRestricted: field.yesNo('Restricted', { hint: 'Only Admin and the principal may give it and see it.' }),
  },
  key: ['tagGroupId', 'name'],
  aliases: { table: 'configuration_tag_alias', to: 'tagId' },
});

export const skillDomainMaster = defineMaster({
  table: 'configuration_skill_domain',
  path: '/configuration/skill-domain',
  one: 'skill domain',
  many: 'skill domains',
  what: 'What skills are grouped by: physical, cognitive, language and so on.',
  access,
  fields: { name: field.text('Name', { max: 60 }) },
  isOrdered: true,
});

export const skillMaster = defineMaster({
  table: 'configuration_skill',
  path: '/configuration/skill',
  one: 'skill',
  many: 'skills',
  what: 'What observations and homework give evidence for.',
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
  one: 'level',
  many: 'levels',
  what: 'How far a child has come with a skill: two to six levels.',
  access,
  fields: {
    name: field.text('Name', { max: 30 }),
    foundational: descriptor('foundational'),
    preparatory: descriptor('preparatory'),
    middle: descriptor('middle'),
    secondary: descriptor('secondary'),
  },
  isOrdered: true,
  refusals: {
    configuration_skill_level_count: {
      field: 'isActive',
      says: 'Two to six levels are active, neither fewer nor more.',
    },
  },
});

/** The tabs of the Subject Master, Tag Master and Skill Master. */
export const subjectMasters = [subjectMaster, electiveGroupMaster] as const;
export const tagMasters = [tagMaster, tagGroupMaster] as const;
export const skillMasters = [skillMaster, skillDomainMaster, skillLevelMaster] as const;
