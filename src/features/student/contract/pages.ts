import type { Page } from '#kit/contract/page.ts';

export const studentPages = [
  {
    path: 'academic/section-student-mapping',
    title: 'Section Student Mapping',
    roles: ['Admin'],
    description: 'Which student is in which section, and since when.',
  },
] as const satisfies readonly Page[];
