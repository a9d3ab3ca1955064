import type { Page } from '#kit/contract/page.ts';

export const academicPages = [
  {
    path: 'academic/academic-master',
    title: 'Academic Master',
    roles: ['Admin'],
    description: 'Years, terms, boards, programs, grades, sections, grading scales and the calendar.',
    search: ['tab'],
  },
] as const satisfies readonly Page[];
