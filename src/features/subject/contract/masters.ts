import { admin } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];

export const subjectMaster = defineMaster({
  table: 'configuration_subject',
  path: '/configuration/subject',
  singular: text`subject`,
  plural: text`subjects`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    code: field.text(text`Code`, { max: 10 }),
    shortName: field.text(text`Short name`, { max: 12 }),
    kind: field.oneOf(text`Kind`, {
      options: options('Scholastic', 'Co-scholastic', 'Language', 'Vocational', 'Activity'),
    }),
    languageOrder: field.oneOf(text`Language order`, {
      options: options('First', 'Second', 'Third'),
      optional: true,
      isAside: true,
    }),
    hasPractical: field.yesNo(text`Has practicals`),
    colour: field.oneOf(text`Colour`, { options: colours, optional: true, isAside: true }),
  },
});

export const electiveGroupMaster = defineMaster({
  table: 'configuration_elective_group',
  path: '/configuration/elective-group',
  singular: text`elective group`,
  plural: text`elective groups`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    minChoices: field.number(text`Minimum choices`, { least: 0, most: 10 }),
    maxChoices: field.number(text`Maximum choices`, { least: 1, most: 10 }),
  },
  constraintMessages: {
    configuration_elective_group_choices: {
      field: 'maxChoices',
      message: text`The maximum can’t be less than the minimum.`,
    },
    configuration_elective_group_chosen: {
      field: 'maxChoices',
      message: text`Some students would have too many electives. Change their electives first.`,
    },
  },
});

export const subjectMasters = [subjectMaster, electiveGroupMaster] as const;
