import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const academicPages = [
  {
    path: 'academic/academic-master',
    title: text`Academic Master`,
    roles: ['Admin'],
    search: ['tab'],
  },
] as const satisfies readonly Page[];
