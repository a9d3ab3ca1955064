import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const academicPages = [
  {
    path: 'academic/academic-master',
    title: text`Academic Master`,
    roles: ['Admin'],
    description: text`Academic years, terms, boards, programs, grades, sections, grading scales and the calendar.`,
    search: ['tab'],
  },
] as const satisfies readonly Page[];
