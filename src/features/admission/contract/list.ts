import * as z from 'zod/mini';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { inquiryApi, inquiryReaders, inquiryShows, quotas } from './inquiry.ts';

export const followUpDays = options('Overdue', 'Today', 'Next 7 days');

export const inquiryList = defineList({
  name: 'inquiry',
  path: '/inquiry',
  singular: text`inquiry`,
  plural: text`inquiries`,
  access: inquiryReaders,
  shows: inquiryShows,
  columns: {
    child: { kind: 'text', label: text`Child`, isSorted: true },
    inquiryNo: { kind: 'text', label: text`Inquiry number`, isSorted: true },
    grade: { kind: 'text', label: text`Grade` },
    academicYear: { kind: 'text', label: text`Academic year`, isAside: true },
    age: { kind: 'text', label: text`Age on cut-off date`, isAside: true },
    parent: { kind: 'text', label: text`Parent` },
    mobile: { kind: 'text', label: text`Mobile number` },
    leadSource: { kind: 'text', label: text`Lead source`, isAside: true },
    quota: { kind: 'oneOf', label: text`Quota`, options: quotas, isAside: true },
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates },
    progress: { kind: 'number', label: text`Pages filled in` },
    nextFollowUpOn: { kind: 'date', label: text`Next follow-up`, isSorted: true },
    assignedTo: { kind: 'text', label: text`Assigned to` },
    createdOn: { kind: 'date', label: text`Received on`, isSorted: true, isAside: true },
  },
  filters: {
    academicYearId: { kind: 'ref', label: text`Academic year`, options: yearMaster.api.options },
    gradeId: { kind: 'ref', label: text`Grade`, options: gradeMaster.api.options },
    state: { kind: 'oneOf', label: text`Status`, options: inquiryStates },
    followUp: { kind: 'oneOf', label: text`Follow-up`, options: followUpDays },
    leadSourceId: { kind: 'ref', label: text`Lead source`, options: inquiryApi.leadSources },
    assignedToId: { kind: 'ref', label: text`Assigned to`, options: staffNames.options },
    quota: { kind: 'oneOf', label: text`Quota`, options: quotas },
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
  extra: { isOverdue: z.boolean() },
});
