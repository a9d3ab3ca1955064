import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const skillPages = [
  {
    path: 'configuration/skill-master',
    title: text`Skill Master`,
    roles: ['Admin'],
  },
] as const satisfies readonly Page[];
