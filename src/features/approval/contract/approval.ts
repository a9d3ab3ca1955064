import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, idAndVersion, oneOf, optionalFreeText, rule } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';

export const approvalStates = options('Pending', 'Approved', 'Rejected', 'Withdrawn');
export type ApprovalState = (typeof approvalStates)[number];
const outcomes = options('Approved', 'Rejected');

export const approvalMessages = {
  own: text`Another person decides on your request.`,
  decided: text`This request is decided already.`,
  asked: text`This is waiting for approval already.`,
  noRemark: text`Enter a remark when you reject.`,
  oneKind: text`Select requests of one kind.`,
  noneOfYear: text`No request of this kind is waiting for your decision.`,
};

const path = '/approval';
/** Every member of staff: the rows are those that they may decide on, and their own requests. */
const access = [staff()] as const;
const shows = ['approval'] as const;
/** A decision changes its subject, whichever feature has it. */
const changes = [...shows, 'notification'] as const;

export const approvalList = defineList({
  name: 'approval',
  path,
  singular: text`request`,
  plural: text`requests`,
  access,
  shows: [...shows, 'branch', 'student', 'year'],
  columns: {
    request: { kind: 'text', label: text`Request`, isSaid: true },
    student: { kind: 'text', label: text`Student` },
    amount: { kind: 'money', label: text`Amount` },
    requestedBy: { kind: 'text', label: text`Requested by` },
    requestedOn: { kind: 'date', label: text`Requested on`, isSorted: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    reason: { kind: 'text', label: text`Reason`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: approvalStates, onPhone: 'end' },
    decidedBy: { kind: 'text', label: text`Decided by`, isAside: true },
    decidedOn: { kind: 'date', label: text`Decided on`, isAside: true },
    remark: { kind: 'text', label: text`Remark`, isAside: true },
  },
  filters: {
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    yearId: filterBy({ label: text`Writes into the year`, to: namedBy(yearMaster) }),
  },
  tabs: {
    forMe: text`For me`,
    own: text`My requests`,
    decided: text`Decided`,
  },
  sort: 'requestedOn',
  tabSorts: { own: '-requestedOn', decided: '-requestedOn' },
  extra: {},
});

const request = z.object({
  id: z.number(),
  version: z.number(),
  kind: anyText,
  title: anyText,
  student: z.nullable(z.object({ id: z.number(), name: z.string(), grNo: z.string() })),
  amount: z.nullable(z.number()),
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  status: z.enum(approvalStates),
  decidedBy: z.string(),
  decidedAt: z.string(),
  remark: z.string(),
  facts: z.array(z.object({ label: anyText, value: anyText })),
  /** What approving does; empty once it is decided. */
  effect: z.array(anyText),
  /** The page of its subject; '' for none. */
  to: z.string(),
  /** Sent with the decision, which is refused as stale where the effect has changed. */
  seen: z.string(),
  /** The waiting requests beside it, for the user to decide on. */
  next: z.nullable(z.number()),
  previous: z.nullable(z.number()),
  may: abilities('decide', 'withdraw'),
});
export type Request = z.infer<typeof request>;

const decision = {
  outcome: oneOf(text`Decision`, outcomes),
  remark: optionalFreeText(text`Remark`, 500),
};

const withRemark = rule<{ outcome: string; remark: string }>(({ outcome, remark }, say) => {
  if (outcome === 'Rejected' && remark === '') say('remark', approvalMessages.noRemark);
});

export const approvalApi = {
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access,
    opens: 'approval',
    shows,
    input: z.object({ id }),
    output: request,
  }),
  decide: endpoint({
    method: 'POST',
    path: `${path}/:id/decide`,
    access,
    changes,
    input: z.object({ ...idAndVersion, seen: z.string().check(z.maxLength(100)), ...decision }).check(withRemark),
    output: z.object({ status: z.enum(approvalStates) }),
  }),
  /** Decides on the selected requests of one kind; those that the user may not decide on are skipped. */
  decideMany: endpoint({
    method: 'POST',
    path: `${path}/decide-many`,
    access,
    changes,
    input: z.object({ selection, ...decision, confirmToken }).check(withRemark),
    output: bulkAnswer,
  }),
  /** How many requests that write into a year the user decides on, by kind. */
  ofYear: endpoint({
    method: 'GET',
    path: `${path}/of-year`,
    access,
    shows: [...shows, 'year'],
    input: z.object({ yearId: id }),
    output: z.array(z.object({ kind: z.string(), title: anyText, requests: z.number() })),
  }),
  /** Returns all requests of a kind that write into a year, with one reason: those on which the user decides. */
  returnOfYear: endpoint({
    method: 'POST',
    path: `${path}/return-of-year`,
    access,
    changes,
    input: z.object({
      yearId: id,
      kind: z.string().check(z.maxLength(60)),
      remark: freeText(text`Reason`, 500),
      confirmToken,
    }),
    output: bulkAnswer,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: `${path}/:id/withdraw`,
    access,
    changes,
    input: z.object(idAndVersion),
    output: z.object({ status: z.enum(approvalStates) }),
  }),
};
