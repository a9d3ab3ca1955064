import type { Page } from '#kit/contract/page.ts';

export const teachingPages = [
  {
    path: 'academic/section-teacher-mapping',
    title: 'Section Teacher Mapping',
    roles: ['Admin'],
    description: 'Who teaches which section what, and since when.',
    search: ['show'],
  },
] as const satisfies readonly Page[];
