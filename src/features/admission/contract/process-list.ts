import * as z from 'zod/mini';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { pick } from '#kit/contract/field.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { childFields, officeFields } from './record.ts';
import { slotReaders } from './slot.ts';

const offerEnds = options('Ended', 'Within 7 days');
const scoreRanges = options('75 % and more', '50 % to 75 %', 'Below 50 %', 'No score');
export const decisionKinds = options('Offer', 'Waitlist', 'Reject');
export type DecisionKind = (typeof decisionKinds)[number];

/** Verified forms, from the decision to the seat. */
export const processList = defineList({
  name: 'process',
  path: '/process',
  singular: text`application`,
  plural: text`applications`,
  // For an assessor the list is empty: the page shows the own slots.
  access: slotReaders,
  shows: ['process', 'inquiry', 'seat', 'year', 'branch', 'grade'],
  columns: {
    child: { kind: 'text', label: text`Child`, isSorted: true },
    inquiryNo: { kind: 'text', label: text`Inquiry number`, isSorted: true, isAside: true },
    grade: { kind: 'text', label: text`Grade` },
    academicYear: { kind: 'text', label: text`Academic year`, isAside: true },
    branch: { ...childFields.branchId, isAside: true },
    quota: { ...officeFields.quota },
    seatQuota: { kind: 'text', label: text`Seat from`, isAside: true },
    receivedOn: { kind: 'date', label: text`Form received on`, head: text`Received`, isSorted: true, isAside: true },
    meetsOn: { kind: 'date', label: text`Interaction on`, isAside: true },
    /** Only heads and principals read scores before they are released. */
    score: { kind: 'number', label: text`Score (%)`, head: text`Score`, isSorted: true, onPhone: 'away' },
    recommendation: { kind: 'text', label: text`Recommendation`, isAside: true },
    rank: { kind: 'number', label: text`Place in the waiting list`, head: text`Place`, isSorted: true },
    decision: { kind: 'text', label: text`Decision on hold`, head: text`On hold`, onPhone: 'away' },
    offerExpiresOn: { kind: 'date', label: text`Last day of the offer`, head: text`Offer until`, isSorted: true },
    fee: { kind: 'text', label: text`Admission fee`, head: text`Fee`, onPhone: 'away' },
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates, onPhone: 'end' },
  },
  filters: {
    academicYearId: { kind: 'ref', label: text`Academic year`, options: yearMaster.api.options },
    branchId: { kind: 'ref', label: text`Branch`, options: branchMaster.api.options },
    gradeId: { kind: 'ref', label: text`Grade`, options: gradeMaster.api.options },
    quota: pick(officeFields.quota, 'kind', 'label', 'options'),
    score: { kind: 'oneOf', label: text`Score`, options: scoreRanges },
    offer: { kind: 'oneOf', label: text`Offer ends`, options: offerEnds },
  },
  tabs: {
    toDecide: text`To decide`,
    held: text`On hold`,
    offered: text`Offered`,
    waiting: text`Waiting list`,
    confirmed: text`Confirmed`,
    admitted: text`Admitted`,
    ended: text`Closed`,
    all: text`All`,
  },
  sort: '-receivedOn',
  tabSorts: { toDecide: 'receivedOn', waiting: 'rank', offered: 'offerExpiresOn' },
  extra: { isLate: z.boolean() },
});
