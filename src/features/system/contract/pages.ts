import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const systemPages = [
  {
    path: 'system',
    title: text`System`,
    reads: 'GET /system/version',
    roles: ['Admin'],
    search: ['tab', 'before'],
    tabs: [
      { key: 'version', title: text`Version` },
      { key: 'work', title: text`Work` },
    ],
  },
] as const satisfies readonly Page[];
