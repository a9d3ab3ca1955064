import * as z from 'zod/mini';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { sectionOptions } from '#features/student/contract/list.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput, peopleOptions } from '#kit/contract/field.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { path, shows } from './homework.ts';
import { homeworkKinds, homeworkReaders, homeworkStates } from './words.ts';

/** The subjects of the sections whose homework the reader sees. */
export const subjectOptions = endpoint({
  method: 'GET',
  path: `${path}/subject-option`,
  access: homeworkReaders,
  shows: ['subject', 'section-teacher'],
  input: z.object(optionsInput),
  output: nameOptions,
});

/** The teachers of these sections. */
export const teacherOptions = endpoint({
  method: 'GET',
  path: `${path}/teacher-option`,
  access: homeworkReaders,
  shows: ['staff', 'section-teacher', 'homework'],
  input: z.object(optionsInput),
  output: peopleOptions,
});

/** The tags of homework. */
export const tagChoices = endpoint({
  method: 'GET',
  path: `${path}/tag-option`,
  access: homeworkReaders,
  shows: ['tag'],
  input: z.object(optionsInput),
  output: nameOptions,
});

export const dueSpans = options('Today', 'This week', 'Next week');
const mine = options('Mine');
const over = options('Over the limit');
const unchecked = options('Not all checked');

export const homeworkList = defineList({
  name: 'homework_section',
  path,
  singular: text`homework`,
  plural: text`homework`,
  access: homeworkReaders,
  shows,
  columns: {
    title: { kind: 'text', label: text`Title` },
    section: { kind: 'text', label: text`Section` },
    subject: { kind: 'text', label: text`Subject` },
    teacher: { kind: 'text', label: text`Teacher`, onPhone: 'away' },
    assignedOn: { kind: 'date', label: text`Given on`, head: text`Given`, onPhone: 'away' },
    dueOn: { kind: 'date', label: text`Due on`, head: text`Due`, isSorted: true, isLabelled: true },
    minutes: { kind: 'number', label: text`Minutes`, isLabelled: true },
    submitted: { kind: 'text', label: text`Submitted` },
    checked: { kind: 'text', label: text`Checked` },
    kind: { kind: 'oneOf', label: text`Kind`, options: homeworkKinds, isAside: true },
    overReason: {
      kind: 'text',
      label: text`Reason for more than the limit`,
      head: text`Over the limit`,
      isAside: true,
    },
    state: { kind: 'oneOf', label: text`State`, options: homeworkStates, onPhone: 'end' },
  },
  filters: {
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions },
    subjectId: { kind: 'ref', label: text`Subject`, options: subjectOptions },
    teacherId: { kind: 'ref', label: text`Teacher`, options: teacherOptions },
    mine: { kind: 'oneOf', label: text`Given by`, options: mine, words: [text`Me`] },
    kind: { kind: 'oneOf', label: text`Kind`, options: homeworkKinds },
    due: { kind: 'oneOf', label: text`Due`, options: dueSpans },
    unchecked: { kind: 'oneOf', label: text`Results`, options: unchecked },
    over: { kind: 'oneOf', label: text`Load`, options: over },
    tagId: { kind: 'ref', label: text`Tag`, options: tagChoices },
    state: { kind: 'oneOf', label: text`State`, options: homeworkStates },
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
  },
  tabs: {
    toCheck: text`To check`,
    upcoming: text`Upcoming`,
    prepared: text`Scheduled and drafts`,
    closed: text`Closed`,
    all: text`All`,
  },
  sort: 'dueOn',
  tabSorts: { closed: '-dueOn', all: '-dueOn' },
  extra: { countsUntil: z.string() },
});
