import * as z from 'zod/mini';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { pick } from '#kit/contract/field.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { childFields, officeFields } from './record.ts';
import { reviewShows } from './review.ts';
import { reviewReaders } from './review-paper.ts';

export const waitingTimes = options('More than 3 days', 'More than 7 days', 'More than 14 days');

export const reviewList = defineList({
  name: 'review',
  path: '/review',
  singular: text`form`,
  plural: text`forms`,
  access: reviewReaders,
  shows: [...reviewShows, 'year'],
  columns: {
    child: { kind: 'text', label: text`Child`, isSorted: true },
    inquiryNo: { kind: 'text', label: text`Inquiry number`, isSorted: true, isAside: true },
    grade: { kind: 'text', label: text`Grade` },
    academicYear: { kind: 'text', label: text`Academic year`, isAside: true },
    branch: { ...childFields.branchId, isAside: true },
    quota: { ...officeFields.quota, isAside: true },
    submittedOn: { kind: 'date', label: text`Submitted on`, head: text`Submitted`, isSorted: true },
    waitingDays: { kind: 'number', label: text`Days waiting`, head: text`Days`, onPhone: 'away' },
    sections: { kind: 'text', label: text`Sections accepted`, head: text`Sections`, onPhone: 'away' },
    documents: { kind: 'text', label: text`Documents verified`, head: text`Documents`, onPhone: 'away' },
    messages: { kind: 'number', label: text`Unread messages`, isAside: true },
    reviewer: { kind: 'text', label: text`Reviewer` },
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates, onPhone: 'end' },
  },
  filters: {
    academicYearId: { kind: 'ref', label: text`Academic year`, options: yearMaster.api.options },
    branchId: filterBy(childFields.branchId),
    gradeId: { kind: 'ref', label: text`Grade`, options: gradeMaster.api.options },
    quota: pick(officeFields.quota, 'kind', 'label', 'options'),
    reviewerId: { kind: 'ref', label: text`Reviewer`, options: staffNames.options },
    waiting: { kind: 'oneOf', label: text`Waiting`, options: waitingTimes },
  },
  tabs: {
    toReview: text`To review`,
    mine: text`Mine`,
    unassigned: text`Without a reviewer`,
    correction: text`With the family`,
    verified: text`Verified`,
    all: text`All`,
  },
  sort: 'submittedOn',
  extra: { isLate: z.boolean() },
});
