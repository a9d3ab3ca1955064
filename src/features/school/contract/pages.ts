import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const schoolPages = [
  {
    path: 'academic/organizational-master',
    title: text`Organizational Master`,
    roles: ['Admin'],
    search: ['tab'],
  },
] as const satisfies readonly Page[];
