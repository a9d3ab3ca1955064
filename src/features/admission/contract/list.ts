import * as z from 'zod/mini';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { columnOf, columnsOf } from '#kit/contract/record.ts';
import { defineList, filtersOf } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { inquiryShows } from './inquiry.ts';
import { childFields, inquiryReaders, inquiryRecord, lostReasons } from './record.ts';

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
    grade: columnOf(inquiryRecord, 'gradeId', { head: text`Grade` }),
    ...columnsOf(inquiryRecord, ['academicYearId', 'branchId'], { isAside: true }),
    age: { kind: 'text', label: text`Age on cut-off date`, isAside: true },
    parent: { kind: 'text', label: text`Parent`, onPhone: 'away' },
    mobile: { kind: 'mobile', label: text`Mobile number`, head: text`Mobile` },
    ...columnsOf(inquiryRecord, ['leadSourceId', 'quota'], { isAside: true }),
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates, onPhone: 'end' },
    progress: { kind: 'number', label: text`Pages filled in`, isAside: true },
    nextFollowUpOn: columnOf(inquiryRecord, 'nextFollowUpOn', {
      head: text`Next call`,
      isSorted: true,
      isLabelled: true,
    }),
    assignedTo: columnOf(inquiryRecord, 'assignedToId', { head: text`Assigned` }),
    endedReason: { kind: 'text', label: text`Reason`, isAside: true },
    createdOn: { kind: 'date', label: text`Received on`, isSorted: true, isAside: true },
  },
  filters: {
    academicYearId: { kind: 'ref', label: childFields.academicYearId.label, options: yearMaster.api.options },
    ...filtersOf(inquiryRecord, 'branchId', 'gradeId'),
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates },
    followUp: { kind: 'oneOf', label: text`Follow-up`, options: followUpDays },
    endedReasonId: { kind: 'ref', label: text`Reason lost`, options: lostReasons.options },
    ...filtersOf(inquiryRecord, 'leadSourceId', 'assignedToId', 'quota'),
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
