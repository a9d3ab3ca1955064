import { admin } from '#features/account/contract/access.ts';
import { defineMaster, field } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';

const access = [admin()];

export const subjectMaster = defineMaster({
  table: 'configuration_subject',
  path: '/configuration/subject',
  singular: 'subject',
  plural: 'subjects',
  description: 'Everything that is taught.',
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
  singular: 'elective group',
  plural: 'elective groups',
  description: 'Subjects of which a child chooses some.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    minChoices: field.number('At least', { least: 0, most: 10, hint: 'How many of its subjects a child must choose.' }),
    maxChoices: field.number('At most', { least: 1, most: 10 }),
  },
  constraintMessages: {
    configuration_elective_group_choices: { field: 'maxChoices', message: 'At most cannot be less than at least.' },
    configuration_elective_group_chosen: {
      field: 'maxChoices',
      message: 'Some students have chosen more of this group already.',
    },
  },
});

/** The tabs of the Subject Master that are lists. */
export const subjectMasters = [subjectMaster, electiveGroupMaster] as const;
