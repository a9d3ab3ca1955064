import * as z from 'zod/mini';
import { type PermissionSet, staff } from '#access/contract/grants.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, freeText, id, oneOf, optionalId, rule } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { stopMaster } from './masters.ts';
import {
  type RideDraft,
  type RiderKind,
  rideDraft,
  rideProblems,
  riderChanges,
  riderMessages,
  shownRide,
} from './rider.ts';

export const changeActions = options('Start', 'Change', 'Stop');
export type ChangeAction = (typeof changeActions)[number];
export const changeStates = options('Pending', 'Upcoming', 'Applied', 'Rejected', 'Withdrawn', 'Cancelled');
export type ChangeState = (typeof changeStates)[number];

export const changeMessages = {
  tooEarly: text`Choose a later day.`,
  open: text`This rider has a request that waits for approval.`,
  rides: text`This rider has a seat on this day. Choose “Change” or “Stop”.`,
  ridesNot: text`This rider has no seat on this day. Choose “Start”.`,
  nothing: text`Nothing would change.`,
  begun: text`This change applies already. Ask for another change instead.`,
};

/** Who asks for a change: it is decided by another person. */
const askers: Record<RiderKind, readonly PermissionSet[]> = {
  Student: ['transportIncharge', 'office'],
  Staff: ['transportIncharge', 'hr'],
};

interface Draft extends RideDraft {
  action: string;
  studentId: number | null;
  staffId: number | null;
}

const complete = (kind: RiderKind) =>
  rule<Draft>((draft, say) => {
    const { action, studentId = null, staffId = null } = draft;
    const rider = kind === 'Staff' ? 'staffId' : 'studentId';
    if (studentId === null && staffId === null) say(rider, riderMessages.noRider);
    if (action === undefined || action === 'Stop') return;
    for (const [name, message] of Object.entries(rideProblems(draft))) say(name as keyof RideDraft, message as Text);
  });

const shows = ['stop-change', 'rider', 'route', 'approval'] as const;

/** The stop changes of students or of staff. */
function stopChangesOf(kind: RiderKind) {
  const word = kind.toLowerCase();
  const path = `/transport/${word}-stop-change`;
  const ask = [staff(...askers[kind])];
  const read = [staff(...askers[kind], 'principal')];
  const list = defineList({
    name: `transport_${word}_stop_change`,
    path,
    singular: text`stop change`,
    plural: text`stop changes`,
    access: read,
    shows: [...shows, word],
    columns: {
      name: { kind: 'text', label: text`Name`, isSorted: true },
      requestNo: { kind: 'text', label: text`Request number`, head: text`Request` },
      place: { kind: 'text', label: text`Section or department`, head: text`Section` },
      action: { kind: 'oneOf', label: text`Action`, options: changeActions },
      before: { kind: 'text', label: text`Stop today`, isAside: true },
      after: { kind: 'text', label: text`New stop` },
      effectiveFrom: { kind: 'date', label: text`From`, isSorted: true, isLabelled: true },
      delta: { kind: 'money', label: text`Change a month`, isLabelled: true },
      requestedBy: { kind: 'text', label: text`Requested by`, isAside: true },
      reason: { kind: 'text', label: text`Reason`, isAside: true },
      status: { kind: 'oneOf', label: text`Status`, options: changeStates, onPhone: 'end' },
    },
    filters: {
      action: { kind: 'oneOf', label: text`Action`, options: changeActions },
      stopId: filterBy({ label: text`New stop`, to: namedBy(stopMaster) }),
    },
    tabs: {
      pending: text`Pending`,
      upcoming: text`Upcoming`,
      applied: text`Applied`,
      closed: text`Closed`,
    },
    sort: '-effectiveFrom',
    extra: { may: abilities('cancel') },
  });
  const api = {
    /** Asks for a change from a day on; the approval checks the seats again. */
    request: endpoint({
      method: 'POST',
      path,
      access: ask,
      changes: [...riderChanges, 'approval'],
      input: z
        .object({
          studentId: chosenId(text`Student`),
          staffId: chosenId(text`Staff`),
          action: oneOf(text`Action`, changeActions),
          ...rideDraft,
          effectiveFrom: calendarDay(text`From`),
          reason: freeText(text`Reason`, 300),
        })
        .check(complete(kind)),
      output: z.object({ id: z.number(), requestNo: z.string() }),
    }),
    /** Undoes an approved change before its day; the previous ride continues. */
    cancel: endpoint({
      method: 'POST',
      path: `${path}/:id/cancel`,
      access: ask,
      changes: riderChanges,
      input: z.object({ id }),
      output: z.object({
        /** Rides on other buses on some days that the previous ride can’t take over. */
        dropped: z.array(z.string()),
      }),
    }),
  };
  return { kind, list, api };
}

export const stopChanges = { Student: stopChangesOf('Student'), Staff: stopChangesOf('Staff') } as const;
export type StopChanges = (typeof stopChanges)[RiderKind];

/** The present ride of a rider and what it and the stops asked for cost, for the form of a change. */
export const rideApi = {
  ride: endpoint({
    method: 'GET',
    path: '/transport/rider/ride',
    access: [staff('transportIncharge', 'office', 'hr', 'principal')],
    shows: ['rider', 'route', 'slab-price'],
    input: z.object({
      studentId: optionalId,
      staffId: optionalId,
      day: calendarDay(text`Day`),
      pickupStopId: optionalId,
      dropStopId: optionalId,
      pickupTripId: optionalId,
      dropTripId: optionalId,
    }),
    output: z.object({
      /** A child who has waited longer for a seat on these trips; null for none. */
      passed: z.nullable(z.string()),
      /** What a month costs with the stops asked for, and the first month that costs it; null without a stop. */
      asked: z.nullable(z.object({ amount: z.number(), month: z.string() })),
      ride: z.nullable(z.extend(shownRide, { words: z.string(), amount: z.number() })),
    }),
  }),
};
