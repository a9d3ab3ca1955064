import type { Page } from '#kit/contract/page.ts';

export const tagPages = [
  {
    path: 'configuration/tag-master',
    title: 'Tag Master',
    roles: ['Admin'],
    description: 'Words by which records are found again.',
  },
] as const satisfies readonly Page[];
