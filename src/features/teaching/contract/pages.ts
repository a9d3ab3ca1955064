import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const teachingPages = [
  {
    path: 'academic/section-teacher-mapping',
    title: text`Section Teacher Mapping`,
    reads: 'GET /academic/section-teacher',
    roles: ['Admin'],
    search: ['show'],
  },
] as const satisfies readonly Page[];
