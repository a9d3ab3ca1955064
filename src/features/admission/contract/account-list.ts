import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { pick } from '#kit/contract/field.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { accountPath, accountReaders, accountShows } from './account.ts';
import { childFields, officeFields } from './record.ts';

/** The children with a confirmed seat, and those who are students since. */
export const accountList = defineList({
  name: 'admission-account',
  path: accountPath,
  singular: text`application`,
  plural: text`applications`,
  access: accountReaders,
  shows: [...accountShows, 'year'],
  columns: {
    child: { kind: 'text', label: text`Child`, isSorted: true },
    inquiryNo: { kind: 'text', label: text`Inquiry number`, head: text`Inquiry`, isSorted: true },
    grade: { kind: 'text', label: text`Grade` },
    academicYear: { kind: 'text', label: text`Academic year`, isAside: true },
    branch: { ...childFields.branchId, isAside: true },
    quota: { ...officeFields.quota, isAside: true },
    slipNo: { kind: 'text', label: text`Fee slip`, onPhone: 'away' },
    paidOn: { kind: 'date', label: text`Paid on`, head: text`Paid`, onPhone: 'away' },
    days: { kind: 'number', label: text`Days since the seat was paid`, head: text`Days`, onPhone: 'away' },
    documents: { kind: 'text', label: text`Documents verified`, head: text`Documents`, onPhone: 'away' },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, onPhone: 'end' },
    joinsOn: { kind: 'date', label: text`Joins on`, isAside: true },
  },
  filters: {
    academicYearId: { kind: 'ref', label: text`Academic year`, options: yearMaster.api.options },
    branchId: filterBy(childFields.branchId),
    gradeId: { kind: 'ref', label: text`Grade`, options: gradeMaster.api.options },
    quota: pick(officeFields.quota, 'kind', 'label', 'options'),
  },
  tabs: { toCreate: text`To create`, created: text`Created` },
  sort: 'child',
  extra: {},
});
