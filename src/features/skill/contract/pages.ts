import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const skillPages = [
  {
    path: 'configuration/skill-master',
    title: text`Skill Master`,
    reads: 'GET /configuration/skill',
    roles: ['Admin'],
    tabs: [
      { key: 'skill', title: text`Skills` },
      { key: 'skill-domain', title: text`Skill domains` },
      { key: 'skill-level', title: text`Levels` },
    ],
  },
] as const satisfies readonly Page[];
