import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { certificateLanguages, languageField } from './certificate.ts';
import { leavingReaders } from './leaving.ts';
import { sectionOptions } from './list.ts';
import { changes, path, shows } from './record.ts';

/** What a leaving certificate says of a child. */
export const describedFields = {
  conduct: field.text(text`Conduct`, { max: 60, optional: true }),
  progress: field.text(text`Progress`, { max: 60, optional: true }),
};

const paperStates = options('Without a certificate', 'With a certificate');

/** The most leavers of one run. */
export const mostLeavers = 1000;

/** The children who leave with the last day of a year: those of a grade without a next one, and those who are to leave. */
export const leaverList = defineList({
  name: 'student_leaver',
  path: `${path}/leaver`,
  singular: text`leaver`,
  plural: text`leavers`,
  access: leavingReaders,
  shows: [...shows, 'year', 'grade', 'result'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, onPhone: 'away' },
    section: { kind: 'text', label: text`Section` },
    rollNo: { kind: 'number', label: text`Roll number`, head: text`Roll` },
    conduct: { kind: 'text', label: text`Conduct` },
    progress: { kind: 'text', label: text`Progress` },
    leaves: { kind: 'date', label: text`Last day` },
    certificate: { kind: 'text', label: text`Leaving certificate`, head: text`Certificate`, onPhone: 'end' },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
  },
  filters: {
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions, narrowedBy: ['yearId', 'gradeId'] },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    paper: { kind: 'oneOf', label: text`Leaving certificate`, options: paperStates },
  },
  tabs: { all: text`All` },
  extra: { studentId: z.number() },
});

export const leaverApi = {
  /** The language that the medium of most of the selected leavers asks for. */
  language: endpoint({
    method: 'POST',
    path: `${path}/leaver/language`,
    access: studentKeepers,
    changes: [],
    input: z.object({ selection }),
    output: z.object({ language: z.enum(certificateLanguages) }),
  }),
  /** Keeps conduct and progress of the selected leavers, but for those with a certificate. An empty field changes nothing. */
  describe: endpoint({
    method: 'POST',
    path: `${path}/leaver/describe`,
    access: studentKeepers,
    changes: [...changes, 'result'],
    input: z.object({ selection, ...inputOf(describedFields), confirmToken }),
    output: bulkAnswer,
  }),
  /**
   * Enters the year’s last day for the selected leavers who have none and makes their leaving certificates, as a run in the
   * order of grade, section and roll number. Conduct and progress count for those who have none of their own. Those who owe
   * get no certificate.
   */
  complete: endpoint({
    method: 'POST',
    path: `${path}/leaver/complete`,
    access: studentKeepers,
    changes: [...changes, 'section'],
    input: z.object({ selection, ...inputOf(describedFields), language: languageField, confirmToken }),
    output: z.extend(bulkAnswer, {
      runId: z.nullable(z.number()),
      firstNumber: z.string(),
      /** Certificates with a name in English letters, though the paper is in another script. */
      inEnglishLetters: z.number(),
      /** Leavers whose section is taught in another language than the certificates are in. */
      otherMedium: z.number(),
    }),
  }),
};
