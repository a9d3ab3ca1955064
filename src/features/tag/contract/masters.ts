import { admin } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];

export const tagGroupMaster = defineMaster({
  table: 'configuration_tag_group',
  path: '/configuration/tag-group',
  singular: text`tag group`,
  plural: text`tag groups`,
  access,
  fields: { name: field.text(text`Name`, { max: 30 }) },
});

export const tagScopes = options('Student', 'Staff', 'Observation', 'Homework', 'Ticket', 'Announcement', 'Admission');

export const tagMaster = defineMaster({
  table: 'configuration_tag',
  path: '/configuration/tag',
  singular: text`tag`,
  plural: text`tags`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 30 }),
    tagGroupId: field.ref(text`Group`, { to: namedBy(tagGroupMaster) }),
    colour: field.oneOf(text`Colour`, { options: colours }),
    scopes: field.someOf(text`For`, { options: tagScopes }),
    isRestricted: field.yesNo(text`Restricted`, {
      hint: text`Only Admins and the principal can see and use this tag.`,
    }),
  },
  key: ['tagGroupId', 'name'],
  aliases: { table: 'configuration_tag_alias', to: 'tagId' },
});

export const tagMasters = [tagMaster, tagGroupMaster] as const;
