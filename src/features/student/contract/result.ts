import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { asOptional, field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { importApi } from '#kit/contract/import.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { leavingFields } from './leaving.ts';
import { sectionOptions } from './list.ts';
import { changes as recordChanges, path as recordPath, shows } from './record.ts';

/** What a school decides about a child at the end of a year. A re-test is corrected after the turn. */
export const resultDecisions = options('Promote', 'Detain', 'Re-test', 'Leave');
export type ResultDecision = (typeof resultDecisions)[number];

/** What became of the enrolment: open until the turn of the year, or a promotion of the grade, writes it. */
const standings = options('Open', 'Promoted', 'Detained', 'Left', 'In the new year');

/** What a list of results may be narrowed to. */
const resultStates = options('No decision yet', 'Not promoted', 'Written');

/** What a family says about the next year, where it was asked; the office decides where the guardians differ. */
const familyAnswers = options('Staying', 'Leaving', 'Not sure', 'Differ');

/** The office and the principal within their branches; a class teacher for the sections led on the year’s last day. */
export const resultWriters = [admin(), staff('office', 'principal', 'classTeacher')] as const;

const path = `${recordPath}/result`;
const changes = [...recordChanges, 'result'];

/** What is decided of one child. Only “Promote” needs no reason. */
export const resultFields = {
  decision: field.oneOf(text`Decision`, { options: resultDecisions, isRadio: true }),
  reason: field.text(text`Reason`, { max: 300, optional: true, hint: text`Needed unless the child is promoted.` }),
  conduct: asOptional(leavingFields.conduct),
  progress: asOptional(leavingFields.progress),
};

/** The columns of a file of results. */
export const resultFile = { grNo: field.text(text`GR number`, { max: 30, alsoNamed: ['GR'] }), ...resultFields };

export const resultMessages = {
  reason: text`Enter the reason.`,
  notFound: text`No child of this year in your reach has this GR number.`,
  isDecided: text`The decision has been written already.`,
  noChange: text`Nothing would change.`,
};

/** The children of a year with what was decided; a row is an enrolment. Without a decision a child is promoted, or leaves. */
export const resultList = defineList({
  name: 'student_result',
  path,
  singular: text`result`,
  plural: text`results`,
  access: resultWriters,
  shows: [...shows, 'year', 'grade', 'result'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, onPhone: 'away' },
    section: { kind: 'text', label: text`Section` },
    rollNo: { kind: 'number', label: text`Roll number`, head: text`Roll` },
    decision: { kind: 'oneOf', label: text`Decision`, options: resultDecisions, onPhone: 'end' },
    leadsTo: { kind: 'text', label: text`Leads to` },
    family: { kind: 'oneOf', label: text`Family’s answer`, options: familyAnswers, head: text`Family` },
    reason: { kind: 'text', label: text`Reason` },
    conduct: { kind: 'text', label: text`Conduct`, isAside: true },
    progress: { kind: 'text', label: text`Progress`, isAside: true },
    by: { kind: 'text', label: text`Decided by`, isAside: true },
    decidedOn: { kind: 'date', label: text`Decided on`, isAside: true },
    standing: { kind: 'oneOf', label: text`Standing`, options: standings, onPhone: 'away' },
  },
  filters: {
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions, narrowedBy: ['yearId', 'gradeId'] },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    decision: { kind: 'oneOf', label: text`Decision`, options: resultDecisions },
    family: { kind: 'oneOf', label: text`Family’s answer`, options: familyAnswers },
    state: { kind: 'oneOf', label: text`State`, options: resultStates },
  },
  tabs: { all: text`All` },
  extra: {
    studentId: z.number(),
    /** 0 while nothing was decided. */
    version: z.number(),
    mayDecide: z.boolean(),
    /** It was written, and can be corrected. */
    mayCorrect: z.boolean(),
  },
});

export const resultApi = {
  /** Decides on one child, by the enrolment; `version` is 0 where nothing was decided yet. */
  decide: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: resultWriters,
    changes,
    input: z.object({ id, version: z.int().check(z.gte(0), z.lte(2_147_483_647)), ...inputOf(resultFields) }),
    output: z.object({}),
  }),
  /** Decides on the selected children, after a preview. Empty conduct and progress change nothing. */
  decideMany: endpoint({
    method: 'POST',
    path: `${path}/decide`,
    access: resultWriters,
    changes,
    input: z.object({ selection, ...inputOf(resultFields), confirmToken }),
    output: bulkAnswer,
  }),
};

/** Reads results from a file, by GR number. */
export const resultImportApi = importApi({
  path: `${path}/import`,
  access: resultWriters,
  changes,
  hidden: { yearId: id },
  columns: resultFile,
  needed: ['grNo', 'decision'],
});
