import { admin } from '#features/account/contract/access.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';

const access = [admin()];

export const tagGroupMaster = defineMaster({
  table: 'configuration_tag_group',
  path: '/configuration/tag-group',
  singular: 'tag group',
  plural: 'tag groups',
  description: 'Tags of one kind, such as Support or Talent.',
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
  singular: 'tag',
  plural: 'tags',
  description: 'Words by which records are grouped and found again.',
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

/** The tabs of the Tag Master. */
export const tagMasters = [tagMaster, tagGroupMaster] as const;
