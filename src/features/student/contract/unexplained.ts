import { gradeMaster } from '#features/academic/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { leavingReaders } from './leaving.ts';
import { path, shows } from './record.ts';

/** Students of whom nobody has said what became of them: until somebody decides they are counted nowhere or wrongly. */
export const unexplainedList = defineList({
  name: 'student_unexplained',
  path: `${path}/unexplained`,
  singular: text`student`,
  plural: text`students`,
  access: leavingReaders,
  shows: [...shows, 'attendance', 'year'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR` },
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
  },
  tabs: {
    undecided: text`Undecided`,
    notSeen: text`Not seen`,
  },
  extra: {},
});
