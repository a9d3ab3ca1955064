import * as z from 'zod/mini';
import { staffNames } from '#access/contract/staff-names.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { sectionOptions } from '#features/student/contract/list.ts';
import { studentOptionsAt } from '#features/student/contract/options.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import {
  chosenId,
  fieldInfo,
  freeText,
  id,
  idAndVersion,
  oneOf,
  optionalFreeText,
  optionalId,
  rule,
} from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { calendarDay, clockTime, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { noteTags } from './attached.ts';
import { shownVersion } from './rubric.ts';
import { followUpStates, mostStudents, noteAccess, noteKeepers, polarities, reaches } from './words.ts';

export const noteMessages = {
  noStudent: text`Choose a student.`,
  manyStudents: text`Choose at most ${{ most: mostStudents }} students.`,
  notYours: text`You can’t observe this student. Choose students of your sections.`,
  notHere: text`A student was not at the school on this day.`,
  future: text`Enter a time that is not in the future.`,
  locked: text`This note is locked. Add an addendum instead.`,
  withdrawn: text`This note was withdrawn.`,
  restrictedRatings: text`A restricted note has no ratings and no skills.`,
  unrated: text`Rate at least one indicator.`,
  otherType: text`Choose a type that you may use.`,
  otherLevel: text`Choose a level of the rubric.`,
  otherSkill: text`Choose a skill of the student’s stage.`,
  noReader: text`This person can’t read the note. Choose one of its readers.`,
  widen: text`Only the principal may add readers now, with a reason.`,
  closed: text`This follow-up is closed.`,
};

const path = '/observation-note';
const noteShows = ['observation-note', 'observation-follow-up', 'section-teacher', 'type', 'action'] as const;
const noteChanges = ['observation-note', 'observation-follow-up', 'student-record'] as const;

/** The students on whom the user may write, with their sections. */
export const noteStudents = studentOptionsAt(`${path}/student-option`, noteAccess, ['section-teacher']);
/** The subjects in use. */
export const noteSubjects = endpoint({
  method: 'GET',
  path: `${path}/subject-option`,
  access: noteAccess,
  shows: ['subject'],
  input: z.object(optionsInput),
  output: nameOptions,
});
/** The types of notes on students, for the filter of the list. */
export const noteTypes = endpoint({
  method: 'GET',
  path: `${path}/type-option`,
  access: noteAccess,
  shows: ['type'],
  input: z.object(optionsInput),
  output: nameOptions,
});

export const noteList = defineList({
  name: 'observation_note',
  path,
  singular: text`observation`,
  plural: text`observations`,
  access: noteAccess,
  shows: [...noteShows, 'student', 'section'],
  columns: {
    student: { kind: 'text', label: text`Student` },
    section: { kind: 'text', label: text`Section` },
    day: { kind: 'date', label: text`Date`, isSorted: true },
    type: { kind: 'text', label: text`Type` },
    polarity: { kind: 'oneOf', label: text`Kind`, options: polarities, onPhone: 'end' },
    firstLine: { kind: 'text', label: text`Note` },
    followUp: { kind: 'text', label: text`Follow-up` },
    author: { kind: 'text', label: text`Author` },
    reach: { kind: 'oneOf', label: text`Readers`, options: reaches, isAside: true },
  },
  filters: {
    studentId: { kind: 'ref', label: text`Student`, options: noteStudents },
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions },
    typeId: { kind: 'ref', label: text`Type`, options: noteTypes },
    subjectId: { kind: 'ref', label: text`Subject`, options: noteSubjects },
    polarity: { kind: 'oneOf', label: text`Kind`, options: polarities },
    followUp: { kind: 'oneOf', label: text`Follow-up`, options: options('Open', 'Overdue') },
    reach: { kind: 'oneOf', label: text`Readers`, options: reaches },
    tagId: { kind: 'ref', label: text`Tag`, options: noteTags },
    authorId: filterBy({ label: text`Author`, to: staffNames }),
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
  },
  tabs: {
    mine: text`Mine`,
    sections: text`My sections`,
    followUps: text`My follow-ups`,
    all: text`All`,
  },
  sort: '-day',
  extra: { isWithdrawn: z.boolean(), isOverdue: z.boolean() },
});

/** What may be changed while the note is not locked. */
const content = {
  day: calendarDay(text`Date`),
  time: clockTime(text`Time`),
  polarity: oneOf(text`Kind`, polarities),
  place: optionalFreeText(text`Place`, 80),
  subjectId: chosenId(text`Subject`),
  note: freeText(text`What happened`, 4000),
  reach: oneOf(text`Readers`, reaches),
  ratings: listOf(z.object({ indicatorId: id, levelId: id, comment: optionalFreeText(text`Comment`, 300) }), {
    most: 240,
  }),
  skills: listOf(z.object({ skillId: neededId(text`Skill`), levelId: neededId(text`Level`) }), { most: 10 }),
};

const restrictedIsBare = rule<{ reach: string; ratings: unknown[]; skills: unknown[] }>((draft, say) => {
  const { reach, ratings = [], skills = [] } = draft;
  if (reach === 'Restricted' && ratings.length + skills.length > 0) say('reach', noteMessages.restrictedRatings);
});

const followUpDraft = {
  actionId: chosenId(text`Follow-up`),
  ownerId: chosenId(text`Follow-up by`),
  dueOn: calendarDay(text`Due on`, true),
};
const followUpWhole = rule<{ actionId: number | null; ownerId: number | null; dueOn: string }>((draft, say) => {
  if (draft.actionId === null) return;
  if (draft.ownerId === null) say('ownerId', text`Choose a person.`);
  if (draft.dueOn === '') say('dueOn', text`Enter a date.`);
});

const studentIds = listOf(id, {
  least: 1,
  most: mostStudents,
  none: noteMessages.noStudent,
  many: noteMessages.manyStudents,
}).register(fieldInfo, { label: text`Students`, optional: false });

export const followUp = z.object({
  id: z.number(),
  action: z.string(),
  ownerId: z.number(),
  owner: z.string(),
  dueOn: z.string(),
  state: z.enum(followUpStates),
  /** Null where the reader has not revealed that of a restricted note. */
  remark: z.nullable(z.string()),
  isOverdue: z.boolean(),
  version: z.number(),
  mayChange: z.boolean(),
});

const shownNote = z.object({
  id: z.number(),
  version: z.number(),
  studentId: z.number(),
  student: z.string(),
  section: z.string(),
  typeId: z.number(),
  type: z.string(),
  day: z.string(),
  time: z.string(),
  polarity: z.enum(polarities),
  subjectId: z.nullable(z.number()),
  subject: z.string(),
  /** With a restricted text its place is revealed too. Null where neither is, or those of a withdrawn note may not be read. */
  place: z.nullable(z.string()),
  note: z.nullable(z.string()),
  reach: z.enum(reaches),
  author: z.string(),
  publishedAt: z.string(),
  locksAt: z.string(),
  isLocked: z.boolean(),
  /** Students of the same form. */
  others: z.number(),
  withdrawn: z.nullable(z.object({ at: z.string(), by: z.string(), reason: z.string() })),
  rubric: z.nullable(shownVersion),
  ratings: z.array(z.object({ indicatorId: z.number(), levelId: z.number(), comment: z.string() })),
  skills: z.array(z.object({ skillId: z.number(), skill: z.string(), levelId: z.number(), level: z.string() })),
  addenda: z.array(z.object({ id: z.number(), at: z.string(), author: z.string(), text: z.nullable(z.string()) })),
  followUps: z.array(followUp),
  readers: z.array(z.string()),
  /** Subject teachers who read it too. */
  teachers: z.number(),
  may: abilities('change', 'addendum', 'copy', 'withdraw', 'reach', 'widen', 'reveal', 'followUp'),
});
export type ShownNote = z.infer<typeof shownNote>;

const readers = z.object({
  /** By name, with what they are to the students; subject teachers by their number. */
  leads: z.array(z.string()),
  teachers: z.number(),
  keepers: z.array(z.string()),
  /** Who may own a follow-up. */
  owners: z.array(z.object({ id: z.number(), name: z.string() })),
});

const draftAnswers = z.record(z.string().check(z.maxLength(60)), z.any());

export const noteApi = {
  /** What the form of a new note needs: the types that the user may use, actions, skills and levels. */
  offer: endpoint({
    method: 'GET',
    path: `${path}/offer`,
    access: noteAccess,
    shows: ['type', 'action', 'rubric-version', 'skill', 'skill-level'],
    input: z.object({}),
    output: z.object({
      types: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          usualReach: z.enum(['', ...reaches]),
          asksFollowUp: z.boolean(),
          rubric: z.nullable(shownVersion),
        }),
      ),
      actions: z.array(z.object({ id: z.number(), name: z.string() })),
      editHours: z.number(),
      day: z.string(),
      time: z.string(),
      /** The next working day, which is offered for a follow-up. */
      dueOn: z.string(),
    }),
  }),
  /** The readers of a note on these students, by name. */
  reader: endpoint({
    method: 'GET',
    path: `${path}/reader`,
    access: noteAccess,
    shows: ['section-teacher', 'account'],
    input: z.object({
      /** Ids joined by commas. */
      students: z.string().check(z.regex(/^[0-9]{1,9}(?:,[0-9]{1,9}){0,59}$/)),
      reach: z.enum(reaches),
    }),
    output: readers,
  }),
  /** The skills of the students’ stage, or none where they have several. */
  skills: endpoint({
    method: 'GET',
    path: `${path}/skill`,
    access: noteAccess,
    shows: ['skill', 'skill-domain', 'skill-level'],
    input: z.object({ students: z.string().check(z.regex(/^[0-9]{1,9}(?:,[0-9]{1,9}){0,59}$/)) }),
    output: z.object({
      skills: z.array(z.object({ id: z.number(), name: z.string(), domain: z.string() })),
      levels: z.array(z.object({ id: z.number(), name: z.string() })),
    }),
  }),
  /** Publishes a note on each of the students, all or none. */
  publish: endpoint({
    method: 'POST',
    path,
    access: noteAccess,
    changes: [...noteChanges, 'observation-draft', 'notification'],
    input: z
      .object({
        studentIds,
        typeId: neededId(text`Type`),
        ...content,
        ...followUpDraft,
        /** The draft that this ends. */
        draftId: optionalId,
      })
      .check(restrictedIsBare, followUpWhole),
    output: z.object({ ids: z.array(z.number()) }),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: noteAccess,
    changes: noteChanges,
    input: z.object({ ...idAndVersion, ...content }).check(restrictedIsBare),
    output: z.object({ version: z.number() }),
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: noteAccess,
    shows: noteShows,
    opens: 'observation_note',
    input: z.object({ id }),
    output: shownNote,
  }),
  history: historyOf(path, noteAccess, noteShows, 'observation_note'),
  /** The text and the place of a restricted note, its addenda and the remarks of its follow-ups. Each reveal is audited with its reason. */
  reveal: endpoint({
    method: 'POST',
    path: `${path}/:id/reveal`,
    access: noteKeepers,
    opens: 'observation_note',
    isReveal: true,
    changes: [],
    input: z.object({ id, reason: freeText(text`Reason`, 300) }),
    output: z.object({
      note: z.string(),
      place: z.string(),
      addenda: z.array(z.object({ id: z.number(), text: z.string() })),
      followUps: z.array(z.object({ id: z.number(), remark: z.string() })),
    }),
  }),
  addendum: endpoint({
    method: 'POST',
    path: `${path}/:id/addendum`,
    access: noteAccess,
    changes: noteChanges,
    input: z.object({ id, text: freeText(text`Addendum`, 2000) }),
    output: z.object({}),
  }),
  withdraw: endpoint({
    method: 'POST',
    path: `${path}/:id/withdraw`,
    access: noteAccess,
    changes: noteChanges,
    input: z.object({ id, reason: freeText(text`Reason`, 300) }),
    output: z.object({}),
  }),
  /** Changes the readers: fewer at any time, more by the principal with a reason. */
  reach: endpoint({
    method: 'POST',
    path: `${path}/:id/reach`,
    access: noteAccess,
    changes: noteChanges,
    input: z.object({
      ...idAndVersion,
      reach: oneOf(text`Readers`, reaches),
      reason: optionalFreeText(text`Reason`, 300),
    }),
    output: z.object({}),
  }),
  addFollowUp: endpoint({
    method: 'POST',
    path: `${path}/:id/follow-up`,
    access: noteAccess,
    changes: [...noteChanges, 'notification'],
    input: z.object({
      id,
      actionId: neededId(text`Follow-up`),
      ownerId: neededId(text`Follow-up by`),
      dueOn: calendarDay(text`Due on`),
    }),
    output: z.object({ id: z.number() }),
  }),
  /** Of a restricted note, whose remark the user may not have revealed, an empty remark leaves it as it is. */
  changeFollowUp: endpoint({
    method: 'PUT',
    path: `${path}/follow-up/:id`,
    access: noteAccess,
    changes: [...noteChanges, 'notification'],
    input: z.object({
      ...idAndVersion,
      state: oneOf(text`State`, followUpStates),
      ownerId: neededId(text`Follow-up by`),
      dueOn: calendarDay(text`Due on`),
      remark: optionalFreeText(text`Remark`, 2000),
    }),
    output: z.object({ version: z.number() }),
  }),
  /** Keeps what was typed; 0 begins a draft. */
  saveDraft: endpoint({
    method: 'POST',
    path: `${path}/draft`,
    access: noteAccess,
    changes: ['observation-draft'],
    input: z.object({ draftId: optionalId, answers: draftAnswers }),
    output: z.object({ id: z.number() }),
  }),
  /** The user’s own drafts, the latest first. */
  drafts: endpoint({
    method: 'GET',
    path: `${path}/draft`,
    access: noteAccess,
    shows: ['observation-draft'],
    input: z.object({}),
    output: z.array(z.object({ id: z.number(), changedAt: z.string(), about: z.string() })),
  }),
  draft: endpoint({
    method: 'GET',
    path: `${path}/draft/:id`,
    access: noteAccess,
    shows: ['observation-draft'],
    input: z.object({ id }),
    output: z.object({ id: z.number(), answers: draftAnswers }),
  }),
  removeDraft: endpoint({
    method: 'DELETE',
    path: `${path}/draft/:id`,
    access: noteAccess,
    changes: ['observation-draft'],
    input: z.object({ id }),
    output: z.object({}),
  }),
};
