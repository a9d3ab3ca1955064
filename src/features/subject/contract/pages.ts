import type { Page } from '#kit/contract/page.ts';

export const subjectPages = [
  {
    path: 'configuration/subject',
    title: 'Subject Master',
    roles: ['Admin'],
    description: 'The subjects of each grade.',
    search: ['tab'],
  },
] as const satisfies readonly Page[];
