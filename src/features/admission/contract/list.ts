import * as z from 'zod/mini';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { pick } from '#kit/contract/field.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { inquiryShows } from './inquiry.ts';
import { childFields, inquiryReaders, lostReasons, officeFields } from './record.ts';

const followUpDays = options('Overdue', 'Today', 'Next 7 days');

export const inquiryList = defineList({
  name: 'inquiry',
  path: '/inquiry',
  singular: text`inquiry`,
  plural: text`inquiries`,
  access: inquiryReaders,
  shows: inquiryShows,
  columns: {
    child: { kind: 'text', label: text`Child`, isSorted: true },
    inquiryNo: { kind: 'text', label: text`Inquiry number`, head: text`Number`, isSorted: true, onPhone: 'away' },
    grade: { ...childFields.gradeId, head: text`Grade` },
    academicYear: { ...childFields.academicYearId, isAside: true },
    branch: { ...childFields.branchId, isAside: true },
    age: { kind: 'text', label: text`Age on cut-off date`, isAside: true },
    parent: { kind: 'text', label: text`Parent`, onPhone: 'away' },
    mobile: { kind: 'mobile', label: text`Mobile number`, head: text`Mobile` },
    leadSource: { ...officeFields.leadSourceId, isAside: true },
    quota: { ...officeFields.quota, isAside: true },
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates, onPhone: 'end' },
    progress: { kind: 'number', label: text`Pages filled in`, isAside: true },
    nextFollowUpOn: { ...officeFields.nextFollowUpOn, head: text`Next call`, isSorted: true, isLabelled: true },
    assignedTo: { ...officeFields.assignedToId, head: text`Assigned` },
    endedReason: { kind: 'text', label: text`Reason`, isAside: true },
    createdOn: { kind: 'date', label: text`Received on`, isSorted: true, isAside: true },
  },
  filters: {
    academicYearId: { kind: 'ref', label: childFields.academicYearId.label, options: yearMaster.api.options },
    branchId: filterBy(childFields.branchId),
    gradeId: filterBy(childFields.gradeId),
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates },
    followUp: { kind: 'oneOf', label: text`Follow-up`, options: followUpDays },
    endedReasonId: { kind: 'ref', label: text`Reason lost`, options: lostReasons },
    leadSourceId: filterBy(officeFields.leadSourceId),
    assignedToId: filterBy(officeFields.assignedToId),
    quota: pick(officeFields.quota, 'kind', 'label', 'options'),
  },
  tabs: {
    open: text`Open`,
    overdue: text`Overdue follow-up`,
    fresh: text`New`,
    sent: text`Form sent`,
    begun: text`In progress`,
    all: text`All`,
  },
  sort: '-createdOn',
  // The longest overdue first.
  tabSorts: { overdue: 'nextFollowUpOn' },
  extra: { isOverdue: z.boolean() },
});
