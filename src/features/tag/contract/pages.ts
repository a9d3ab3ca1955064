import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const tagPages = [
  {
    path: 'configuration/tag-master',
    title: text`Tag Master`,
    reads: 'GET /configuration/tag',
    roles: ['Admin'],
    tabs: [
      { key: 'tag', title: text`Tags` },
      { key: 'tag-group', title: text`Tag groups` },
    ],
  },
] as const satisfies readonly Page[];
