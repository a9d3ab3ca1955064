import * as z from 'zod/mini';
import { stages } from '#features/academic/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import {
  because,
  chosenId,
  fieldInfo,
  freeText,
  id,
  idAndVersion,
  oneOf,
  optionalFreeText,
  optionalId,
  optionalOneOf,
  rule,
  tick,
} from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { readLinks } from '#kit/contract/links.ts';
import { listOf } from '#kit/contract/list.ts';
import { someIds } from '#kit/contract/list-view.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import {
  homeworkClosers,
  homeworkGivers,
  homeworkKinds,
  homeworkMessages,
  homeworkReaders,
  homeworkStates,
  mostLinks,
  mostSections,
  results,
  standings,
  statuses,
} from './words.ts';

export const path = '/homework';
export const shows = ['homework', 'student', 'section', 'section-teacher', 'year'] as const;
export const changes = ['homework'] as const;

/** The section and subject that a teacher gives homework to. */
const idsOfPair = { sectionId: id, subjectId: id };
const pair = z.object(idsOfPair);
const pairs = listOf(pair, { least: 1, most: mostSections, none: homeworkMessages.noSection }).register(fieldInfo, {
  label: text`Sections`,
  optional: false,
});

/** Marks in steps of a half, typed or given as a number; null for none. */
const maxMarks = z
  .pipe(
    z.transform((value) => {
      if (value === null || value === undefined || value === '') return null;
      return typeof value === 'string' && /^[0-9]{1,3}(\.[05]0?)?$/.test(value.trim()) ? Number(value) : value;
    }),
    z.nullable(
      z.custom<number>(
        (value) => typeof value === 'number' && value > 0 && value <= 999 && Number.isInteger(value * 2),
        because(homeworkMessages.marks),
      ),
    ),
  )
  .register(fieldInfo, { label: text`Marks`, optional: true });

/** Up to five addresses, as phones write and chats hand them over. */
const links = optionalFreeText(text`Links`, 2600)
  .check(
    z.check(({ value, issues }) => {
      const { links: found, refused } = readLinks(value);
      const [word] = refused;
      const reason = word ? homeworkMessages.noLink(word) : found.length > mostLinks && homeworkMessages.links;
      if (reason) issues.push({ code: 'custom', ...because(reason), input: value, continue: true });
    }),
  )
  .register(fieldInfo, { label: text`Links`, optional: true });

const contentFields = {
  title: freeText(text`Title`, 120),
  minutes: wholeNumber(text`Minutes`, { least: 5, most: 240 }),
  kind: oneOf(text`Kind`, homeworkKinds),
  instructions: optionalFreeText(text`Instructions`, 4000),
  links,
  maxMarks,
  showsFeedback: tick(text`Families see marks and feedback`),
  skillIds: z._default(listOf(id, { most: 20 }), []),
  tags: z._default(listOf(id, { most: 20 }), []),
};

export const hours = options(
  '06:00',
  '07:00',
  '08:00',
  '09:00',
  '10:00',
  '12:00',
  '14:00',
  '15:00',
  '16:00',
  '17:00',
  '18:00',
  '20:00',
);

export const whens = options('Now', 'Later', 'Draft');

const students = listOf(id, { most: 80 });

const delivery = {
  dueOn: calendarDay(text`Due on`),
  lateUntil: calendarDay(text`Taken late until`, true),
  publish: oneOf(text`Publish`, whens),
  /** The moment of `Later`. */
  publishOn: calendarDay(text`Publish on`, true),
  publishHour: optionalOneOf(text`At`, hours),
  overReason: optionalFreeText(text`Reason for more than the limit`, 200),
};

const inOrder = rule<{ dueOn: string; lateUntil: string; publish: string; publishOn: string; publishHour: string }>(
  ({ dueOn, lateUntil, publish, publishOn, publishHour }, say) => {
    if (dueOn && lateUntil && lateUntil < dueOn) say('lateUntil', homeworkMessages.late);
    if (publish !== 'Later') return;
    if (publishOn === '' || publishHour === '') say('publishOn', homeworkMessages.moment);
    else if (dueOn && publishOn && publishOn > dueOn) say('dueOn', homeworkMessages.beforeAssigned);
  },
);

const given = z.object({
  sectionId: z.number(),
  subjectId: z.number(),
  section: z.string(),
  subject: z.string(),
  stage: z.enum(stages),
  /** The first school day from tomorrow on. */
  dueOn: z.string(),
});
export type GivenPair = z.infer<typeof given>;

const child = z.object({
  studentId: z.number(),
  rollNo: z.nullable(z.number()),
  name: z.string(),
  standing: z.enum(standings),
  result: z.enum(['', ...results]),
  handedInOn: z.string(),
  marks: z.nullable(z.number()),
  feedback: z.string(),
  /** Of the stored result; 0 without one. */
  version: z.number(),
  /** The child's own due day. */
  dueOn: z.string(),
  /** Of more time; '' without. */
  reason: z.string(),
  status: z.enum(statuses),
  isLate: z.boolean(),
  /** Absent on the day it was given. */
  wasAbsent: z.boolean(),
});
export type HomeworkChild = z.infer<typeof child>;

const homework = z.object({
  id: z.number(),
  homeworkId: z.number(),
  version: z.number(),
  contentVersion: z.number(),
  title: z.string(),
  minutes: z.number(),
  kind: z.enum(homeworkKinds),
  instructions: z.string(),
  links: z.array(z.string()),
  files: z.array(z.object({ id: z.string(), name: z.string(), mediaType: z.string() })),
  maxMarks: z.nullable(z.number()),
  showsFeedback: z.boolean(),
  skills: z.array(z.object({ id: z.number(), name: z.string(), group: z.string() })),
  tags: z.array(z.object({ id: z.number(), name: z.string(), group: z.string() })),
  section: z.string(),
  sectionId: z.number(),
  subject: z.string(),
  subjectId: z.number(),
  stage: z.enum(stages),
  teacher: z.string(),
  assignedOn: z.string(),
  dueOn: z.string(),
  lateUntil: z.string(),
  publishAt: z.nullable(z.iso.datetime()),
  state: z.enum(homeworkStates),
  isForAll: z.boolean(),
  overReason: z.string(),
  cancelledReason: z.string(),
  today: z.string(),
  /** There is no school on the due day any more. */
  /** Where the due day has no school. */
  countsUntil: z.string(),
  /** The same homework in other sections that the reader sees. */
  others: z.array(z.object({ id: z.number(), section: z.string() })),
  children: z.array(child),
  may: abilities('change', 'check', 'publish', 'close', 'reopen', 'cancel', 'remove'),
});
export type Homework = z.infer<typeof homework>;

const done = z.object({ id: z.number(), version: z.number() });

export const homeworkApi = {
  /** The children of a section who have a subject today. */
  students: endpoint({
    method: 'GET',
    path: `${path}/student`,
    access: homeworkGivers,
    shows: ['student', 'section'],
    input: z.object(idsOfPair),
    output: z.array(z.object({ id: z.number(), name: z.string(), isActive: z.boolean() })),
  }),
  /** What the user may give homework to today. */
  given: endpoint({
    method: 'GET',
    path: `${path}/given`,
    access: homeworkGivers,
    shows: ['section-teacher', 'section', 'grade', 'subject', 'year'],
    input: z.object({}),
    output: z.object({ today: z.string(), pairs: z.array(given) }),
  }),
  /** Homework that the user gave before, the latest first, to give it again. */
  earlierOptions: endpoint({
    method: 'GET',
    path: `${path}/earlier`,
    access: homeworkGivers,
    shows: ['homework'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  earlier: endpoint({
    method: 'GET',
    path: `${path}/earlier/:id`,
    access: homeworkGivers,
    shows: ['homework'],
    input: z.object({ id }),
    output: z.object({
      title: z.string(),
      minutes: z.number(),
      kind: z.enum(homeworkKinds),
      instructions: z.string(),
      links: z.array(z.string()),
      maxMarks: z.nullable(z.number()),
      showsFeedback: z.boolean(),
      skillIds: z.array(z.number()),
      tags: z.array(z.number()),
      files: z.array(z.string()),
    }),
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: homeworkReaders,
    shows,
    input: z.object({ id }),
    output: homework,
  }),
  history: historyOf(path, homeworkReaders, ['homework']),
  /** Gives homework to sections, or saves it as a draft. A limit that it passes needs a reason. */
  create: endpoint({
    method: 'POST',
    path,
    access: homeworkGivers,
    changes,
    input: z
      .object({
        ...contentFields,
        ...delivery,
        pairs,
        /** Own homework of before, whose files it gets. */
        copiedFrom: chosenId(text`Earlier homework`),
        /** Empty for the whole section. */
        studentIds: z._default(students, []),
      })
      .check(inOrder),
    output: z.object({ ids: z.array(z.number()), due: z.string() }),
  }),
  /** Changes the content for all sections that have it. */
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: homeworkGivers,
    changes,
    input: z.object({ ...contentFields, id, contentVersion: id, overReason: delivery.overReason }),
    output: done,
  }),
  publish: endpoint({
    method: 'POST',
    path: `${path}/:id/publish`,
    access: homeworkGivers,
    changes,
    input: z
      .object({ ...idAndVersion, ...delivery, publish: oneOf(text`Publish`, options('Now', 'Later')) })
      .check(inOrder),
    output: done,
  }),
  /** Moves the due day of this section; the preview says who becomes late or is no longer late. */
  move: endpoint({
    method: 'POST',
    path: `${path}/:id/due`,
    access: homeworkGivers,
    changes,
    input: z.object({
      ...idAndVersion,
      dueOn: delivery.dueOn,
      lateUntil: delivery.lateUntil,
      overReason: delivery.overReason,
      confirmToken,
    }),
    output: previewed({ becomeLate: z.number(), becomeOnTime: z.number(), tells: z.boolean() }),
  }),
  /** Gives the same homework to further sections. */
  copy: endpoint({
    method: 'POST',
    path: `${path}/:id/section`,
    access: homeworkGivers,
    changes,
    input: z
      .object({
        id,
        ...delivery,
        pairs,
      })
      .check(inOrder),
    output: z.object({ ids: z.array(z.number()) }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: `${path}/:id/cancel`,
    access: homeworkGivers,
    changes,
    input: z.object({ ...idAndVersion, reason: freeText(text`Reason`, 200) }),
    output: done,
  }),
  close: endpoint({
    method: 'POST',
    path: `${path}/:id/close`,
    access: homeworkClosers,
    changes,
    input: z.object(idAndVersion),
    output: done,
  }),
  reopen: endpoint({
    method: 'POST',
    path: `${path}/:id/reopen`,
    access: homeworkClosers,
    changes,
    input: z.object(idAndVersion),
    output: done,
  }),
  /** Deletes a draft. */
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: homeworkGivers,
    changes,
    input: z.object({ id }),
    output: z.object({}),
  }),
};

const sectionLoad = z.object({
  sectionId: z.number(),
  section: z.string(),
  limit: z.object({ minutes: z.number(), per: z.enum(['day', 'week']) }),
  days: z.array(
    z.object({
      day: z.string(),
      isSchool: z.boolean(),
      /** Of the child with most, with and without the new homework. */
      minutes: z.number(),
      before: z.number(),
    }),
  ),
  /** The days, or weeks by their Monday, on which children with the new homework pass the limit. */
  over: z.array(z.object({ period: z.string(), minutes: z.number(), children: z.number() })),
  /** The children with the new homework. */
  of: z.number(),
  items: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      subject: z.string(),
      teacher: z.string(),
      dueOn: z.string(),
      minutes: z.number(),
      /** How many chosen children have it; null for the whole section. */
      children: z.nullable(z.number()),
    }),
  ),
});
export type SectionLoad = z.infer<typeof sectionLoad>;

export const loadApi = {
  /** The minutes of sections in the week around a due day, with what the user is about to give. */
  load: endpoint({
    method: 'GET',
    path: `${path}/load`,
    access: homeworkGivers,
    shows: ['homework', 'section-teacher', 'setting', 'year', 'student'],
    input: z.object({
      sectionIds: someIds,
      subjectId: id,
      dueOn: calendarDay(text`Due on`),
      minutes: wholeNumber(text`Minutes`, { least: 0, most: 240 }),
      kind: oneOf(text`Kind`, homeworkKinds),
      /** The day on which it is given; '' for today. */
      assignedOn: z._default(calendarDay(text`Publish on`, true), ''),
      /** A delivery that is about to change, and does not count as it is. */
      without: optionalId,
    }),
    output: z.object({ isBlocked: z.boolean(), sections: z.array(sectionLoad) }),
  }),
};
