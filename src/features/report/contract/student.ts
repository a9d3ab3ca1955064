import * as z from 'zod/mini';
import { studentReaders } from '#access/contract/grants.ts';
import { studentList } from '#features/student/contract/list.ts';
import { studentHead } from '#features/student/contract/record.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { periodFields } from '#kit/contract/timeline.ts';
import { cardKeys, reportCard, reportOf } from './report.ts';

const path = '/report/student';
const shows = ['student', 'student-record', 'attendance', 'fee', 'transport', 'section', 'year'];
const { name, grNo, section, rollNo, house, status } = studentList.columns;
const { yearId, gradeId, sectionId } = studentList.filters;

/** The finder of the student report. What a reader may not know of a child is empty. */
export const studentReportList = defineList({
  name: 'student-report',
  path,
  singular: text`student`,
  plural: text`students`,
  access: studentReaders,
  shows,
  columns: {
    name,
    grNo,
    section,
    rollNo,
    attendance: { kind: 'percent', label: text`Attendance` },
    house: { ...house, isAside: true },
    status,
  },
  filters: { yearId, gradeId, sectionId },
  tabs: { active: text`Active`, left: text`Left`, all: text`All` },
  extra: { picture: z.string() },
});

export const studentReportApi = reportOf({
  path,
  access: studentReaders,
  shows,
  record: 'student',
  head: z.object({
    ...studentHead.shape,
    /** The last day of the period. */
    day: z.string(),
    /** The section and roll number of that day. */
    place: z.string(),
    placeRollNo: z.nullable(z.number()),
    /** The students before and after this one in the section, by roll number. */
    previous: z.nullable(z.number()),
    next: z.nullable(z.number()),
  }),
});

/** The reports of a section as one PDF. */
export const sectionReportApi = {
  /** The cards that the user may have of students; never a restricted one, which asks for a reason each time. */
  cards: endpoint({
    method: 'GET',
    path: `${path}/section-card`,
    access: studentReaders,
    shows,
    input: z.object({}),
    output: z.array(reportCard),
  }),
  /** Chosen cards of the students whom the user sees in a section, in the order of roll numbers. */
  paper: endpoint({
    method: 'POST',
    path: `${path}/section-paper`,
    access: studentReaders,
    changes: [],
    ownTransactions: true,
    input: z.object({ sectionId: id, ...periodFields, cards: cardKeys }),
    output: servedFile,
  }),
};
