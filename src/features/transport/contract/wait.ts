import * as z from 'zod/mini';
import { staff, transportKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, optionalFreeText } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { stopMaster } from './masters.ts';
import { riderApi, riderChanges, riderFields } from './rider.ts';
import { dayReaders } from './today.ts';

const ways = options('Both', 'Pickup', 'Drop');
const states = options('Waiting', 'Seated', 'Withdrawn');

/** The office enters who waits; transport gives the seats. */
const enterers = [staff('transportIncharge', 'office')] as const;

export const waitFields = {
  studentId: field.ref(text`Student`, { to: riderFields.studentId.to }),
  stopId: field.ref(text`Stop`, { to: namedBy(stopMaster) }),
  ways: field.oneOf(text`Ways`, { options: ways }),
  wantedFrom: field.date(text`Wanted from`, { toward: 'future' }),
  askedOn: field.date(text`Asked on`, { toward: 'past', hint: text`The day decides the place in the line.` }),
  note: field.text(text`Note`, { max: 200, optional: true }),
};

export const waitList = defineList({
  name: 'transport_wait',
  path: '/transport/wait',
  singular: text`waiting child`,
  plural: text`waiting children`,
  access: dayReaders,
  shows: ['wait', 'rider', 'route', 'stop', 'student'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    stop: { kind: 'text', label: text`Stop` },
    ways: { kind: 'oneOf', label: text`Ways`, options: ways, onPhone: 'away' },
    number: { kind: 'number', label: text`Number in the line`, head: text`In line`, isLabelled: true },
    askedOn: { kind: 'date', label: text`Asked on`, isSorted: true, isLabelled: true, onPhone: 'away' },
    wantedFrom: { kind: 'date', label: text`Wanted from`, isLabelled: true, onPhone: 'away' },
    freeFrom: { kind: 'date', label: text`Seat free from`, isLabelled: true },
    note: { kind: 'text', label: text`Note`, isAside: true },
    state: { kind: 'oneOf', label: text`Status`, options: states, isAside: true },
  },
  filters: { stopId: filterBy(waitFields.stopId) },
  tabs: {
    waiting: text`Waiting`,
    done: text`Seated or withdrawn`,
    all: text`All`,
  },
  sort: 'askedOn',
  extra: { studentId: z.number() },
});

export const waitApi = {
  /** Puts a child without a seat in the line. */
  add: endpoint({
    method: 'POST',
    path: '/transport/wait',
    access: enterers,
    changes: ['wait'],
    input: z.object(inputOf(waitFields)),
    output: z.object({ id: z.number() }),
  }),
  /** Gives a waiting child a seat on the trips of the stop; another one than the first in line with a reason. */
  give: endpoint({
    method: 'POST',
    path: '/transport/wait/:id/give',
    access: transportKeepers,
    changes: ['wait', ...riderChanges],
    input: z.object({
      id,
      effectiveFrom: calendarDay(text`Rides from`),
      reason: optionalFreeText(text`Reason`, 200),
      confirmToken,
    }),
    output: riderApi.assign.output,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/transport/wait/:id/withdraw',
    access: enterers,
    changes: ['wait'],
    input: z.object({ id }),
    output: z.object({}),
  }),
};
