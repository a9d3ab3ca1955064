import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { sectionOptions } from './list.ts';
import { changes, path, shows } from './record.ts';

/** What a school decides about a child at the end of a year. A re-test is corrected after the turn. */
export const resultDecisions = options('Promote', 'Detain', 'Re-test', 'Leave');
export type ResultDecision = (typeof resultDecisions)[number];

/** Where a decision comes from: a person, a file, or the answer of the family, which needs no reason. */
export const resultSources = options('Hand', 'Import', 'Family');

/** The words of the enrolment, once the year’s turn has written the decision. */
export const resultStandings = options('Open', 'Promoted', 'Detained', 'Left', 'Placed by hand');

/** The office and the principal within their branches, a class teacher for the section led on the year’s last day. */
export const resultWriters = [admin(), staff('office', 'principal', 'classTeacher')] as const;

export const resultChanges = [...changes, 'result'];

/** The children of a year with what was decided; a row is an enrolment. Without a decision a child is promoted, or leaves. */
export const resultList = defineList({
  name: 'student_result',
  path: `${path}/result`,
  singular: text`result`,
  plural: text`results`,
  access: resultWriters,
  shows: [...shows, 'year', 'grade', 'result'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR`, onPhone: 'away' },
    section: { kind: 'text', label: text`Section` },
    rollNo: { kind: 'number', label: text`Roll number`, head: text`Roll` },
    decision: { kind: 'oneOf', label: text`Decision`, options: ['', ...resultDecisions], onPhone: 'end' },
    leadsTo: { kind: 'text', label: text`Leads to` },
    reason: { kind: 'text', label: text`Reason` },
    conduct: { kind: 'text', label: text`Conduct`, isAside: true },
    progress: { kind: 'text', label: text`Progress`, isAside: true },
    by: { kind: 'text', label: text`Decided by`, isAside: true },
    decidedOn: { kind: 'date', label: text`Decided on`, isAside: true },
    standing: { kind: 'oneOf', label: text`Standing`, options: resultStandings, onPhone: 'away' },
  },
  filters: {
    yearId: filterBy({ label: text`Academic year`, to: namedBy(yearMaster) }),
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions, narrowedBy: ['yearId', 'gradeId'] },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    decision: { kind: 'oneOf', label: text`Decision`, options: resultDecisions },
  },
  tabs: {
    all: text`All`,
    open: text`Not run yet`,
    other: text`Not promoted`,
    undecided: text`Without a decision`,
  },
  extra: { studentId: z.number(), version: z.number(), mayDecide: z.boolean() },
});
