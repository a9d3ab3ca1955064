import { sectionOptions } from '#features/student/contract/list.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { path } from './homework.ts';
import { homeworkReaders } from './words.ts';

/** The students with homework of the last 30 days that is missing, not done or incomplete. */
export const missingList = defineList({
  name: 'homework_missing',
  path: `${path}/missing`,
  singular: text`student`,
  plural: text`students`,
  access: homeworkReaders,
  shows: ['homework', 'student', 'section', 'section-teacher'],
  columns: {
    name: { kind: 'text', label: text`Student` },
    section: { kind: 'text', label: text`Section`, onPhone: 'end' },
    missing: {
      kind: 'number',
      label: text`Not submitted in 30 days`,
      head: text`In 30 days`,
      isSorted: true,
      isLabelled: true,
    },
    recent: { kind: 'number', label: text`Not submitted in 7 days`, head: text`In 7 days`, isLabelled: true },
    titles: { kind: 'text', label: text`Homework`, onPhone: 'away' },
  },
  filters: { sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions } },
  tabs: { month: text`Last 30 days`, week: text`Last 7 days` },
  sort: '-missing',
  extra: {},
});
