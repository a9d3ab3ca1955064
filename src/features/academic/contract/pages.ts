import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const academicPages = [
  {
    path: 'academic/academic-master',
    title: text`Academic Master`,
    reads: 'GET /academic/year',
    roles: ['Admin'],
    search: ['tab'],
    tabs: [
      { key: 'year', title: text`Academic years` },
      { key: 'term', title: text`Terms` },
      { key: 'board', title: text`Boards` },
      { key: 'program', title: text`Programs` },
      { key: 'grade', title: text`Grades` },
      { key: 'section', title: text`Sections` },
      { key: 'room', title: text`Rooms` },
      { key: 'house', title: text`Houses` },
      { key: 'grading-scale', title: text`Grading scales` },
      { key: 'calendar', title: text`Calendar` },
    ],
  },
] as const satisfies readonly Page[];
