import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { choices } from '#features/student/contract/record.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion, rule, tick } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { doneOrAsked, waitingRelief } from './relief.ts';

/** When dues are due that are past on the day a plan is made. */
export const pastKinds = options('As scheduled', 'As scheduled, fines from a chosen day', 'Due on a day');
export interface PastAnswer {
  past: (typeof pastKinds)[number];
  pastDay: string;
}

const shows = ['fee-plan', 'enrollment', 'student'] as const;

/** The students of open years, with their plans. */
export const planList = defineList({
  name: 'fee_plan',
  path: '/fee/plan',
  singular: text`student`,
  plural: text`students`,
  access: feeReaders,
  shows: [...shows, 'fee-structure', 'year', 'grade', 'section'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR` },
    section: { kind: 'text', label: text`Section` },
    year: { kind: 'text', label: text`Academic year`, head: text`Year` },
    joinedOn: { kind: 'date', label: text`Joined on`, onPhone: 'away' },
    category: { kind: 'text', label: text`Student category`, head: text`Category`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    net: { kind: 'money', label: text`Fees of the year`, head: text`A year` },
    balance: { kind: 'money', label: text`Balance` },
  },
  filters: {
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    sectionId: filterBy({ label: text`Section`, to: namedBy(sectionMaster) }),
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    categoryId: filterBy({ label: text`Student category`, to: choices.category }),
  },
  tabs: {
    without: text`Without a plan`,
    planned: text`With a plan`,
    all: text`All`,
  },
  extra: { studentId: z.number(), yearId: z.number() },
});

export const allocationFields = {
  past: field.oneOf(text`Instalments that are past`, {
    options: pastKinds,
    optional: true,
    hint: text`Required if a due day has already passed.`,
  }),
  pastDay: field.date(text`Day`, { optional: true }),
};

const allocationMessages = {
  day: text`Enter a day.`,
};

const withDay = rule<{ past: string; pastDay: string }>(({ past, pastDay }, say) => {
  if (past !== '' && past !== 'As scheduled' && pastDay === '') say('pastDay', allocationMessages.day);
});

const previewed = z.object({
  id: z.number(),
  name: z.string(),
  grNo: z.string(),
  place: z.string(),
  joinedOn: z.string(),
  structure: z.string(),
  gross: z.number(),
  proRata: z.number(),
  concession: z.number(),
  net: z.number(),
  firstDue: z.string(),
});
export type PreviewedPlan = z.infer<typeof previewed>;

const run = z.object({
  id: z.number(),
  title: anyText,
  actor: z.string(),
  /** The reader started it and may open it. */
  isOwn: z.boolean(),
  startedAt: z.iso.datetime(),
  isFinished: z.boolean(),
  total: z.number(),
  done: z.number(),
  skipped: z.number(),
  failed: z.number(),
});

const entry = z.object({ id: z.number(), kind: z.string(), entryDate: z.string(), amount: z.number() });
const plannedDue = z.object({
  id: z.number(),
  feeHeadId: z.number(),
  head: z.string(),
  label: z.string(),
  from: z.string(),
  dueOn: z.string(),
  gross: z.number(),
  proRata: z.number(),
  concession: z.number(),
  net: z.number(),
  paid: z.number(),
  entries: z.array(entry),
});
export type PlannedDue = z.infer<typeof plannedDue>;

const feePlan = z.object({
  studentId: z.number(),
  name: z.string(),
  grNo: z.string(),
  place: z.string(),
  years: z.array(z.object({ id: z.number(), name: z.string() })),
  yearId: z.number(),
  planId: z.nullable(z.number()),
  version: z.number(),
  joinedOn: z.string(),
  leftOn: z.string(),
  dues: z.array(plannedDue),
  /** Heads that the family may choose. */
  options: z.array(z.object({ feeHeadId: z.number(), head: z.string(), isChosen: z.boolean() })),
  may: abilities('change'),
  /** Changes that wait for a second person. */
  waiting: z.array(waitingRelief),
  changes: z.array(
    z.object({
      id: z.number(),
      at: z.iso.datetime(),
      kind: z.string(),
      effectiveFrom: z.string(),
      reason: z.string(),
      total: z.number(),
      by: z.string(),
    }),
  ),
});
export type FeePlan = z.infer<typeof feePlan>;

export const optionFields = { effectiveFrom: field.date(text`From`) };
export const moveFields = {
  dueOn: field.date(text`Due day`),
  newDay: field.date(text`New due day`),
  reason: field.text(text`Reason`, { max: 500 }),
};
export const withdrawFields = { reason: field.text(text`Reason`, { max: 500 }) };
export const repriceFields = {
  effectiveFrom: field.date(text`From`, { hint: text`Periods that begin on this day or later.` }),
};
const changes = ['fee-plan'] as const;

export const planApi = {
  /** Adds an optional head from a day on, or ends it. */
  option: endpoint({
    method: 'POST',
    path: '/fee/plan/:id/option',
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, feeHeadId: id, isChosen: tick(text`Chosen`), ...inputOf(optionFields) }),
    output: doneOrAsked,
  }),
  /** Moves what is unpaid on a due day to a later one. */
  moveDueDay: endpoint({
    method: 'POST',
    path: '/fee/plan/:id/due-day',
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(moveFields) }),
    output: doneOrAsked,
  }),
  /** Reverses a plan of which nothing is paid. */
  withdraw: endpoint({
    method: 'POST',
    path: '/fee/plan/:id/withdraw',
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(withdrawFields) }),
    output: doneOrAsked,
  }),
  /** Gives the plans on earlier versions the prices of a published one, as a run. */
  reprice: endpoint({
    method: 'POST',
    path: '/fee/reprice',
    access: feeWriters,
    changes,
    input: z.object({ structureId: id, ...inputOf(repriceFields), confirmToken }),
    output: z.extend(bulkAnswer, {
      runId: z.nullable(z.number()),
      total: z.number(),
      /** Dues that keep their price, since something is paid on them. */
      kept: z.object({ count: z.number(), amount: z.number() }),
    }),
  }),
  /** A student's plan of a year; of the current one without a year. */
  read: endpoint({
    method: 'GET',
    path: '/fee/plan/:id',
    access: feeReaders,
    opens: 'enrollment',
    shows: [...shows, 'head', 'concession', 'approval'],
    input: z.object({ id, yearId: z._default(z.string().check(z.maxLength(10)), '') }),
    output: feePlan,
  }),
  /** The latest runs that made or changed plans. */
  runs: endpoint({
    method: 'GET',
    path: '/fee/run',
    access: feeReaders,
    shows: ['fee-plan', 'run'],
    input: z.object({}),
    output: z.object({ rows: z.array(run) }),
  }),
  /** Makes plans for the selected students, as a run. */
  allocate: endpoint({
    method: 'POST',
    path: '/fee/allocation',
    access: feeWriters,
    changes: ['fee-plan'],
    input: z.object({ selection, ...inputOf(allocationFields), confirmToken }).check(withDay),
    output: z.extend(bulkAnswer, {
      runId: z.nullable(z.number()),
      total: z.number(),
      /** Dues whose day has passed, and their amount. */
      past: z.object({ count: z.number(), amount: z.number() }),
      rows: z.array(previewed),
    }),
  }),
};
