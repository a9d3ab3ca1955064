import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const tagPages = [
  {
    path: 'configuration/tag-master',
    title: text`Tag Master`,
    roles: ['Admin'],
    description: text`Labels for grouping and finding records.`,
  },
] as const satisfies readonly Page[];
