import { admin } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { options, text } from '#kit/contract/text.ts';
import { reaches } from './words.ts';

const access = [admin()];

/** Types and rubrics are for notes on students or for visits to lessons of staff. */
export const audiences = options('Student', 'Staff');
const authorWords = options('Class teacher', 'Subject teacher', 'Counsellor', 'Principal');

export const scaleMaster = defineMaster({
  table: 'observation_scale',
  path: '/observation/scale',
  singular: text`rating scale`,
  plural: text`rating scales`,
  description: text`A scale has two to seven levels, which rubrics rate with.`,
  access,
  fields: { name: field.text(text`Name`, { max: 60 }) },
});

const inUse = text`A published rubric uses this scale, so its levels can’t be changed.`;

export const levelMaster = defineMaster({
  table: 'observation_level',
  path: '/observation/level',
  singular: text`level`,
  plural: text`levels`,
  description: text`The levels of the rating scales, with their points.`,
  access,
  fields: {
    scaleId: field.ref(text`Rating scale`, { to: namedBy(scaleMaster) }),
    label: field.text(text`Label`, { max: 40 }),
    points: field.number(text`Points`, {
      least: 0,
      most: 100,
      optional: true,
      hint: text`Leave empty for “Not observed”, which no score counts.`,
    }),
    colour: field.oneOf(text`Colour`, { options: colours, optional: true }),
    meaning: field.longText(text`Meaning`, { max: 300, optional: true }),
  },
  labelFields: ['scaleId', 'label'],
  constraintMessages: {
    observation_level_points_once: { field: 'points', message: text`Another level of this scale has these points.` },
    observation_level_in_use: { field: 'label', message: inUse },
  },
});

export const rubricMaster = defineMaster({
  table: 'observation_rubric',
  path: '/observation/rubric',
  singular: text`rubric`,
  plural: text`rubrics`,
  description: text`A rubric has domains with indicators, which are rated on a scale.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 80 }),
    forWhom: field.oneOf(text`For`, { options: audiences }),
  },
  key: ['forWhom', 'name'],
});

export const typeMaster = defineMaster({
  table: 'observation_type',
  path: '/observation/type',
  singular: text`observation type`,
  plural: text`observation types`,
  description: text`A kind of observation, such as “Anecdotal note” or “Classroom walk-through”.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    forWhom: field.oneOf(text`For`, { options: audiences }),
    kind: field.oneOf(text`Kind`, { options: options('Anecdotal', 'Rubric', 'Checklist') }),
    rubricId: field.ref(text`Rubric`, {
      to: namedBy(rubricMaster),
      optional: true,
      hint: text`New observations take its latest published version.`,
    }),
    usualReach: field.oneOf(text`Usual readers`, { options: reaches, optional: true }),
    asksFollowUp: field.yesNo(text`Asks for a follow-up`),
    authors: field.someOf(text`Authors`, {
      options: authorWords,
      optional: true,
      isAside: true,
      hint: text`Leave empty for all.`,
    }),
  },
  key: ['forWhom', 'name'],
  constraintMessages: {
    observation_type_rubric: { field: 'rubricId', message: text`This rubric is for others. Choose another one.` },
    observation_type_has_rubric: {
      field: 'rubricId',
      message: text`Choose a rubric for this kind; an anecdotal note has none.`,
    },
    observation_type_restricted: { field: 'usualReach', message: text`A restricted note has no ratings.` },
  },
});

const actionMaster = defineMaster({
  table: 'observation_action',
  path: '/observation/action',
  singular: text`follow-up action`,
  plural: text`follow-up actions`,
  description: text`Actions after an observation, such as “Talk to the student”.`,
  access,
  fields: { name: field.text(text`Name`, { max: 60 }) },
});

export const observationMasters = [typeMaster, rubricMaster, scaleMaster, levelMaster, actionMaster] as const;
