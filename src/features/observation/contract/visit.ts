import * as z from 'zod/mini';
import { admin, signedIn, staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { departmentMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, freeText, id, idAndVersion, oneOf, optionalFreeText, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, clockTime, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { shownVersion } from './rubric.ts';

/** Who observes lessons: Admins, principals in their branches, heads in their departments. */
const visitAccess = [admin(), staff('principal', 'headOfDepartment')] as const;

export const visitKinds = options('Walk-through', 'Scheduled', 'Peer', 'Demo');
export const visitStates = options(
  'Scheduled',
  'In progress',
  'Draft',
  'Shared',
  'Acknowledged',
  'Closed',
  'Cancelled',
);
export type VisitState = (typeof visitStates)[number];
export const sharedStates: readonly VisitState[] = ['Shared', 'Acknowledged', 'Closed'];

export const visitMessages = {
  self: text`You can’t observe yourself.`,
  notYours: text`You can’t observe this person. Choose a colleague of your branch or department.`,
  otherType: text`Choose another type.`,
  locked: text`The visit is shared. Reopen it with a reason to change it.`,
  step: text`This is not possible in the present state of the visit.`,
  empty: text`Rate an indicator, or write evidence or a text first.`,
  unacknowledged: text`Only the principal may close a visit that is not acknowledged, with a reason.`,
  notOpen: text`Begin the visit first.`,
  notShared: text`Only a shared report is printed.`,
  noObserver: text`This person can’t observe the teacher.`,
};

const path = '/observation-visit';
const visitShows = ['observation-visit', 'staff', 'department'] as const;
const changes = ['observation-visit', 'notification'] as const;

export const visitList = defineList({
  name: 'observation_visit',
  path,
  singular: text`visit`,
  plural: text`visits`,
  access: visitAccess,
  shows: visitShows,
  columns: {
    teacher: { kind: 'text', label: text`Teacher` },
    day: { kind: 'date', label: text`Date`, isSorted: true },
    observer: { kind: 'text', label: text`Observer` },
    kind: { kind: 'oneOf', label: text`Kind`, options: visitKinds, isAside: true },
    section: { kind: 'text', label: text`Section` },
    score: { kind: 'text', label: text`Score`, isLabelled: true },
    isFlagged: { kind: 'yesNo', label: text`Critical` },
    state: { kind: 'oneOf', label: text`State`, options: visitStates, onPhone: 'end' },
    sharedOn: { kind: 'date', label: text`Shared on`, isAside: true },
    acknowledgedOn: { kind: 'date', label: text`Acknowledged on`, isAside: true },
    nextReviewOn: { kind: 'date', label: text`Next review`, isAside: true },
  },
  filters: {
    departmentId: filterBy({ label: text`Department`, to: namedBy(departmentMaster) }),
    observerId: filterBy({ label: text`Observer`, to: staffNames }),
    kind: { kind: 'oneOf', label: text`Kind`, options: visitKinds },
    state: { kind: 'oneOf', label: text`State`, options: visitStates },
  },
  tabs: { mine: text`My visits`, shared: text`Not acknowledged`, all: text`All` },
  sort: '-day',
  extra: { mayOpen: z.boolean() },
});

export const visit = z.object({
  id: z.number(),
  version: z.number(),
  teacher: z.string(),
  observer: z.string(),
  type: z.string(),
  kind: z.enum(visitKinds),
  isAnnounced: z.boolean(),
  scheduledAt: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  section: z.string(),
  topic: z.string(),
  strengths: z.string(),
  improvements: z.string(),
  plan: z.string(),
  nextReviewOn: z.string(),
  state: z.enum(visitStates),
  cancelReason: z.string(),
  score: z.string(),
  isFlagged: z.boolean(),
  sharedAt: z.string(),
  comment: z.string(),
  acknowledgedAt: z.string(),
  closedAt: z.string(),
  closeReason: z.string(),
  rubric: shownVersion,
  ratings: z.array(z.object({ indicatorId: z.number(), levelId: z.number(), comment: z.string() })),
  evidence: z.array(z.object({ id: z.number(), at: z.string(), text: z.string() })),
  /** Earlier sharings that a reopening ended, with the reasons. */
  reopened: z.array(z.object({ number: z.number(), at: z.string(), by: z.string(), reason: z.string() })),
  /** Those who may take the visit over before it begins. */
  observers: z.array(z.object({ id: z.number(), name: z.string() })),
  may: abilities(
    'start',
    'capture',
    'finish',
    'share',
    'cancel',
    'acknowledge',
    'close',
    'reopen',
    'handOver',
    'print',
  ),
});
export type Visit = z.infer<typeof visit>;

const saved = z.object({ version: z.number() });
const act = <const Word extends string>(word: Word) => `${path}/:id/${word}` as const;

export const visitApi = {
  /** The types and sections that a new visit chooses from. */
  offer: endpoint({
    method: 'GET',
    path: `${path}/offer`,
    access: visitAccess,
    shows: ['type', 'rubric-version', 'section'],
    input: z.object({}),
    output: z.object({
      types: z.array(z.object({ id: z.number(), name: z.string() })),
      sections: z.array(z.object({ id: z.number(), name: z.string() })),
      day: z.string(),
      time: z.string(),
    }),
  }),
  schedule: endpoint({
    method: 'POST',
    path,
    access: visitAccess,
    changes,
    input: z.object({
      observedId: neededId(text`Teacher`),
      typeId: neededId(text`Type`),
      kind: oneOf(text`Kind`, visitKinds),
      isAnnounced: tick(text`Notify the teacher of the appointment`),
      day: calendarDay(text`Date`),
      time: clockTime(text`Time`),
      sectionId: chosenId(text`Section`),
      topic: optionalFreeText(text`Topic of the lesson`, 200),
    }),
    output: z.object({ id: z.number() }),
  }),
  /** The teachers of today with their shared visits by term; nobody observed first. */
  coverage: endpoint({
    method: 'GET',
    path: `${path}/coverage`,
    access: visitAccess,
    shows: visitShows,
    input: z.object({}),
    output: z.object({
      terms: z.array(z.string()),
      rows: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          department: z.string(),
          counts: z.array(z.number()),
          lastOn: z.string(),
          isNew: z.boolean(),
        }),
      ),
    }),
  }),
  /** The user’s own: announced appointments and shared visits. */
  own: endpoint({
    method: 'GET',
    path: `${path}/own`,
    access: signedIn,
    shows: visitShows,
    input: z.object({}),
    output: z.array(
      z.object({
        id: z.number(),
        at: z.string(),
        observer: z.string(),
        section: z.string(),
        state: z.enum(visitStates),
        score: z.string(),
      }),
    ),
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: signedIn,
    shows: visitShows,
    opens: 'observation_visit',
    input: z.object({ id }),
    output: visit,
  }),
  history: historyOf(path, visitAccess, visitShows, 'observation_visit'),
  start: endpoint({
    method: 'POST',
    path: act('start'),
    access: visitAccess,
    changes,
    input: z.object(idAndVersion),
    output: saved,
  }),
  /** Texts of the report; ratings and evidence are saved by themselves. */
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: visitAccess,
    changes,
    input: z.object({
      ...idAndVersion,
      topic: optionalFreeText(text`Topic of the lesson`, 200),
      strengths: optionalFreeText(text`Strengths`, 2000),
      improvements: optionalFreeText(text`What could be better`, 2000),
      plan: optionalFreeText(text`Plan`, 2000),
      nextReviewOn: calendarDay(text`Next review`, true),
    }),
    output: saved,
  }),
  rate: endpoint({
    method: 'PUT',
    path: act('rating'),
    access: visitAccess,
    changes,
    isRepeatable: true,
    input: z.object({ id, indicatorId: id, levelId: id, comment: z.optional(optionalFreeText(text`Comment`, 300)) }),
    output: z.object({}),
  }),
  note: endpoint({
    method: 'POST',
    path: act('evidence'),
    access: visitAccess,
    changes,
    input: z.object({ id, text: freeText(text`Evidence`, 1000) }),
    output: z.object({}),
  }),
  finish: endpoint({
    method: 'POST',
    path: act('finish'),
    access: visitAccess,
    changes,
    input: z.object(idAndVersion),
    output: saved,
  }),
  /** The teacher sees it from now on; it changes only by reopening. */
  share: endpoint({
    method: 'POST',
    path: act('share'),
    access: visitAccess,
    changes,
    input: z.object(idAndVersion),
    output: saved,
  }),
  cancel: endpoint({
    method: 'POST',
    path: act('cancel'),
    access: visitAccess,
    changes,
    input: z.object({ ...idAndVersion, reason: freeText(text`Reason`, 300) }),
    output: saved,
  }),
  /** Gives a visit that has not begun to another observer. */
  handOver: endpoint({
    method: 'POST',
    path: act('observer'),
    access: visitAccess,
    changes,
    input: z.object({ ...idAndVersion, observerId: neededId(text`Observer`) }),
    output: saved,
  }),
  /** The shared report as a PDF. */
  paper: endpoint({
    method: 'GET',
    path: `${path}/:id/paper`,
    access: signedIn,
    shows: visitShows,
    opens: 'observation_visit',
    input: z.object({ id }),
    output: servedFile,
  }),
  /** By the observed person alone. */
  acknowledge: endpoint({
    method: 'POST',
    path: act('acknowledge'),
    access: signedIn,
    changes,
    input: z.object({ ...idAndVersion, comment: optionalFreeText(text`Comment`, 2000) }),
    output: saved,
  }),
  close: endpoint({
    method: 'POST',
    path: act('close'),
    access: visitAccess,
    changes,
    input: z.object({ ...idAndVersion, reason: optionalFreeText(text`Reason`, 300) }),
    output: saved,
  }),
  /** Takes the acknowledgement back, and tells the teacher. */
  reopen: endpoint({
    method: 'POST',
    path: act('reopen'),
    access: visitAccess,
    changes,
    input: z.object({ ...idAndVersion, reason: freeText(text`Reason`, 300) }),
    output: saved,
  }),
};
