import type { Page } from '#kit/contract/page.ts';

export const schoolPages = [
  {
    path: 'academic/organizational-master',
    title: 'Organizational Master',
    roles: ['Admin'],
    description: 'The school itself: name, logo, branches, departments and its number series.',
    search: ['tab'],
  },
] as const satisfies readonly Page[];
