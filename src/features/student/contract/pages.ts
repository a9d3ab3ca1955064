import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const studentPages = [
  {
    path: 'academic/section-student-mapping',
    title: text`Section Student Mapping`,
    roles: ['Admin'],
  },
] as const satisfies readonly Page[];
