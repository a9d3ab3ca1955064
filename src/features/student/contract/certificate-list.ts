import * as z from 'zod/mini';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { certificateKinds } from './certificate.ts';
import { leavingReaders } from './leaving.ts';
import { path, shows } from './record.ts';

export const certificateStates = options('Issued', 'Handed out', 'Void');
export type CertificateState = (typeof certificateStates)[number];

/** The register of certificates, the latest first. */
export const certificateList = defineList({
  name: 'student_certificate',
  path: `${path}/certificate`,
  singular: text`certificate`,
  plural: text`certificates`,
  access: leavingReaders,
  shows: [...shows, 'year'],
  columns: {
    number: { kind: 'text', label: text`Number` },
    kind: { kind: 'oneOf', label: text`Certificate`, options: certificateKinds },
    student: { kind: 'text', label: text`Student` },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, onPhone: 'away' },
    section: { kind: 'text', label: text`Class` },
    issuedOn: { kind: 'date', label: text`Issued on`, isSorted: true, isLabelled: true },
    by: { kind: 'text', label: text`Issued by`, isAside: true },
    handedTo: { kind: 'text', label: text`Handed to`, onPhone: 'away' },
    copies: { kind: 'number', label: text`Duplicates`, isAside: true },
    replacedBy: { kind: 'text', label: text`Replaced by`, isAside: true },
    state: { kind: 'oneOf', label: text`State`, options: certificateStates, onPhone: 'end' },
  },
  filters: {
    kind: { kind: 'oneOf', label: text`Certificate`, options: certificateKinds },
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: { all: text`All`, waiting: text`Not handed out`, void: text`Void` },
  sort: '-issuedOn',
  extra: { studentId: z.number(), runId: z.nullable(z.number()) },
});
