import type { Page } from '#kit/contract/page.ts';

export const skillPages = [
  {
    path: 'configuration/skill-master',
    title: 'Skill Master',
    roles: ['Admin'],
    description: 'Skills that are taught and observed.',
  },
] as const satisfies readonly Page[];
