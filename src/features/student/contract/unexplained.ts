import * as z from 'zod/mini';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { leavingReaders } from './leaving.ts';
import { path, shows } from './record.ts';

/** Last year’s child without a place; a child whom no register says was here; a re-test without its result. */
export const unexplainedReasons = options('Undecided', 'Not seen', 'Re-test open');
export type UnexplainedReason = (typeof unexplainedReasons)[number];

/** Students of whom nobody has said what became of them: until somebody decides they are counted nowhere or wrongly. */
export const unexplainedList = defineList({
  name: 'student_unexplained',
  path: `${path}/unexplained`,
  singular: text`student`,
  plural: text`students`,
  access: leavingReaders,
  shows: [...shows, 'attendance', 'year', 'result'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR` },
    why: { kind: 'oneOf', label: text`Unexplained`, options: unexplainedReasons },
    section: { kind: 'text', label: text`Section` },
    rollNo: { kind: 'number', label: text`Roll number`, head: text`Roll`, isAside: true },
    year: { kind: 'text', label: text`Academic year`, head: text`Year` },
    guardian: { kind: 'text', label: text`Guardian` },
    mobile: { kind: 'mobile', label: text`Mobile number`, head: text`Mobile` },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
  },
  filters: {
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
    why: { kind: 'oneOf', label: text`Unexplained`, options: unexplainedReasons },
  },
  tabs: { all: text`All` },
  extra: {
    /** In a section of today, so that the child may never have joined. */
    isHere: z.boolean(),
  },
});

export const unexplainedApi = {
  /** What became of the children of a year’s last day, and how many of today are unexplained. */
  sum: endpoint({
    method: 'GET',
    path: `${path}/unexplained/sum`,
    access: leavingReaders,
    shows: [...shows, 'attendance', 'year', 'result'],
    input: z.object({ yearId: id }),
    output: z.object({
      /** The year’s last day, and the name of the year after it; '' while none is made. */
      day: z.string(),
      next: z.string(),
      roll: z.number(),
      inNext: z.number(),
      completed: z.number(),
      left: z.number(),
      undecided: z.number(),
      lists: z.array(z.object({ why: z.enum(unexplainedReasons), students: z.number() })),
    }),
  }),
};
