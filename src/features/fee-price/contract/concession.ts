import * as z from 'zod/mini';
import { feeDeciders, feeReaders, feeWriters } from '#access/contract/grants.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { studentOptionsAt } from '#features/student/contract/options.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { idAndVersion } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { discountNames } from './discount.ts';

export const concessionStates = options('Suggested', 'Requested', 'Approved', 'Rejected', 'Revoked');
export type ConcessionState = (typeof concessionStates)[number];

const path = '/fee/concession';
const concessionShows = ['fee-concession'] as const;
const shows = [...concessionShows, 'fee-discount', 'approval', 'enrollment', 'student'];
/** A concession changes what a plan charges. */
const changes = [...concessionShows, 'approval', 'fee-plan', 'fee-discount'] as const;

export const concessionMessages = {
  once: text`The student has this discount in these months already. End it first.`,
  outside: text`Choose a month of the academic year.`,
  notEnrolled: text`The student is not enrolled in this academic year.`,
  otherYear: text`This discount is for another academic year.`,
  inactive: text`This discount is inactive. Choose another one.`,
  later: text`Choose a later month than the first one.`,
  notEarlier: text`It ends in this month or earlier already.`,
  notApproved: text`Only a granted concession can be ended.`,
  notSuggested: text`Is not a suggestion any more.`,
  kept: text`A concession’s terms can’t be changed. End it and request another.`,
};

/** The students who can be chosen. */
export const concessionStudents = studentOptionsAt(`${path}/student`, [...feeWriters, ...feeDeciders], ['enrollment']);

export const requestFields = {
  studentId: field.ref(text`Student`, {
    to: {
      table: 'student',
      labelFields: ['name'],
      isPeople: true as const,
      fields: { name: field.text(text`Name`, { max: 160 }) },
      options: concessionStudents,
    },
  }),
  discountId: field.ref(text`Discount`, { to: discountNames }),
  academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
  effectiveFrom: field.date(text`From`, { hint: text`The whole month of this day counts.` }),
  effectiveTo: field.date(text`Until`, { optional: true, hint: text`Leave empty for the rest of the year.` }),
  reason: field.longText(text`Reason`, { max: 500, optional: true }),
};

const row = {
  studentId: z.number(),
  grNo: z.string(),
  version: z.number(),
  value: anyText,
  /** A suggestion to end a concession rather than to give one. */
  isEnd: z.boolean(),
  may: abilities('end', 'grant'),
};

export const concessionList = defineList({
  name: 'fee_concession',
  path,
  singular: text`concession`,
  plural: text`concessions`,
  access: feeReaders,
  shows: [...shows, 'year', 'branch'],
  columns: {
    student: { kind: 'text', label: text`Student`, isSorted: true },
    section: { kind: 'text', label: text`Section` },
    discount: { kind: 'text', label: text`Discount` },
    takesOff: { kind: 'text', label: text`Takes off` },
    effectiveFrom: { kind: 'date', label: text`From` },
    effectiveTo: { kind: 'date', label: text`Until` },
    status: { kind: 'oneOf', label: text`Status`, options: concessionStates, onPhone: 'end' },
    year: { kind: 'text', label: text`Academic year`, head: text`Year`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    reason: { kind: 'text', label: text`Reason`, isAside: true },
    requestedBy: { kind: 'text', label: text`Requested by`, isAside: true },
  },
  filters: {
    status: { kind: 'oneOf', label: text`Status`, options: concessionStates },
    discountId: filterBy({ label: text`Discount`, to: discountNames }),
    academicYearId: filterBy(requestFields.academicYearId),
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: { all: text`All` },
  extra: row,
});

const saved = z.object({ id: z.number(), status: z.enum(concessionStates) });

export const concessionApi = {
  students: concessionStudents,
  history: historyOf(path, feeReaders, shows),
  /** Asks for a concession; it is granted at once where its discount needs no approval. */
  request: endpoint({
    method: 'POST',
    path,
    access: feeWriters,
    changes,
    input: z.object(inputOf(requestFields)),
    output: saved,
  }),
  /** Ends a granted concession with a month; before its first month it is revoked. */
  end: endpoint({
    method: 'POST',
    path: `${path}/:id/end`,
    access: feeWriters,
    changes,
    input: z.object({
      ...idAndVersion,
      ...inputOf({ lastDay: field.date(text`Last day`), reason: requestFields.reason }),
    }),
    output: saved,
  }),
  /** Grants suggestions, or asks for those that need approval. */
  grantMany: endpoint({
    method: 'POST',
    path: `${path}/grant`,
    access: feeWriters,
    changes,
    input: z.object({ selection, confirmToken }),
    output: bulkAnswer,
  }),
};

/** What the inbox of approvals calls a request; the student has a column. */
export const concessionTitle = (discount: string) => text`Concession: ${{ discount }}`;
