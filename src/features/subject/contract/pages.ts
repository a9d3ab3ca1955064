import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const subjectPages = [
  {
    path: 'configuration/subject',
    title: text`Subject Master`,
    reads: 'GET /configuration/subject',
    roles: ['Admin'],
    search: ['tab'],
    tabs: [
      { key: 'subject', title: text`Subjects` },
      { key: 'elective-group', title: text`Elective groups` },
      { key: 'grade', title: text`Subjects of each grade` },
      { key: 'elective', title: text`Students’ electives` },
    ],
  },
] as const satisfies readonly Page[];
