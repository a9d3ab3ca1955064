import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { roomMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, id, idAndVersion, oneOf, optionalFreeText, rule, tick } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay, clockTime, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

export const slotKinds = options('Interaction', 'Assessment');
const attendanceWords = options('Came', 'No-show');
export const recommendations = options(
  'Strongly recommended',
  'Recommended',
  'Recommended with conditions',
  'Not recommended',
);
export const slotPlanners = [staff('office', 'admissionHead')] as const;
/** Assessors reach the children of their own slots. */
const attenders = [staff('office', 'admissionHead', 'assessor')] as const;
const assessors = [staff('admissionHead', 'assessor')] as const;
export const slotReaders = [staff('office', 'admissionHead', 'principal', 'accountant', 'assessor')] as const;
export const slotChanges = ['process', 'slot', 'inquiry'];
const path = '/process/slot';
const done = z.object({});

export const slotMessages = {
  room: text`This room is taken at that time.`,
  assessor: text`An assessor has another slot at that time.`,
  child: text`The child has another slot at that time.`,
  full: text`This slot is full.`,
};

export const slotRow = z.object({
  id: z.number(),
  version: z.number(),
  kind: z.enum(slotKinds),
  startsAt: z.string(),
  endsAt: z.string(),
  roomId: z.nullable(z.number()),
  place: z.string(),
  isCancelled: z.boolean(),
  capacity: z.number(),
  assessors: z.array(z.string()),
  children: z.array(
    z.object({
      id: z.number(),
      interactionId: z.number(),
      name: z.string(),
      status: z.string(),
      /** The family chose the time itself. */
      isChosen: z.boolean(),
    }),
  ),
});
export type SlotRow = z.infer<typeof slotRow>;

/** The message to the first of the families, as it reads it. */
export const messageExample = z.nullable(z.object({ name: z.string(), subject: z.string(), words: z.string() }));

export const slotRooms = roomMaster.api.options;
export const slotStaff = staffNames.options;

export const needsPlace = rule<{ roomId: number | null; place: string }>(({ roomId, place }, say) => {
  if (roomId === null && place === '') say('place', text`Choose a room or enter a place.`);
});

/** What new slots have in common. */
export const slotFields = {
  kind: oneOf(text`Kind`, slotKinds),
  day: calendarDay(text`Day`),
  from: clockTime(text`From`),
  minutes: wholeNumber(text`Minutes for each`, { least: 5, most: 240 }),
  pause: wholeNumber(text`Minutes between`, { least: 0, most: 120 }),
  capacity: wholeNumber(text`Children at a time`, { least: 1, most: 60 }),
  roomId: chosenId(text`Room`),
  place: optionalFreeText(text`Place`, 100),
  assessorId: neededId(text`Assessor`),
  secondAssessorId: chosenId(text`Second assessor`),
  thirdAssessorId: chosenId(text`Third assessor`),
  onHoliday: tick(text`Plan it on a day without school`),
};

export const slotApi = {
  /** The slots of a day in the user's branches. Without a day: of today, or of an assessor's next day with slots. */
  list: endpoint({
    method: 'GET',
    path,
    access: slotReaders,
    shows: ['slot', 'process'],
    input: z.object({ day: calendarDay(text`Day`, true) }),
    output: z.object({
      day: z.string(),
      rows: z.array(slotRow),
      /** The next day with slots from today on; '' without one. */
      nextDay: z.string(),
      may: abilities('plan', 'export'),
    }),
  }),
  /** Slots one after the other, each with the next of the selected applications, in the order of their receipt. */
  plan: endpoint({
    method: 'POST',
    path: `${path}/many`,
    access: slotPlanners,
    changes: slotChanges,
    input: z
      .object({
        selection,
        ...slotFields,
        confirmToken,
      })
      .check(needsPlace),
    output: previewed({
      slots: z.array(z.object({ startsAt: z.string(), children: z.array(z.string()) })),
      skipped: z.array(z.object({ id: z.number(), name: z.string(), reason: anyText })),
      example: messageExample,
    }),
  }),
  /** Moves a slot with its assessors and children, and tells the families. */
  move: endpoint({
    method: 'POST',
    path: `${path}/:id/move`,
    access: slotPlanners,
    changes: slotChanges,
    input: z
      .object({
        ...idAndVersion,
        day: calendarDay(text`Day`),
        from: clockTime(text`From`),
        roomId: chosenId(text`Room`),
        place: optionalFreeText(text`Place`, 100),
        onHoliday: tick(text`Plan it on a day without school`),
        confirmToken,
      })
      .check(needsPlace),
    output: previewed({ startsAt: z.string(), children: z.array(z.string()), example: messageExample }),
  }),
  /** Cancels a slot: its children are planned again later, and their families are told. */
  cancelSlot: endpoint({
    method: 'POST',
    path: `${path}/:id/cancel`,
    access: slotPlanners,
    changes: slotChanges,
    input: z.object({ ...idAndVersion, confirmToken }),
    output: previewed({ children: z.array(z.string()), example: messageExample }),
  }),
  /** Whether the child came; the last of its open slots ends the interaction. */
  attend: endpoint({
    method: 'POST',
    path: '/process/interaction/:id/attendance',
    access: attenders,
    changes: slotChanges,
    input: z.object({ id, status: oneOf(text`Attendance`, attendanceWords) }),
    output: done,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/process/interaction/:id/cancel',
    access: slotPlanners,
    changes: slotChanges,
    input: z.object({ id }),
    output: done,
  }),
  /** One's own outcome; those of others are shown once it is stored. */
  outcome: endpoint({
    method: 'PUT',
    path: '/process/interaction/:id/outcome',
    access: assessors,
    changes: slotChanges,
    input: z.object({
      id,
      recommendation: oneOf(text`Recommendation`, recommendations),
      score: wholeNumber(text`Score`, { least: 0, most: 999, optional: true }),
      ofScore: wholeNumber(text`Out of`, { least: 1, most: 999, optional: true }),
      note: optionalFreeText(text`Note`, 2000),
    }),
    output: done,
  }),
};
