import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const subjectPages = [
  {
    path: 'configuration/subject',
    title: text`Subject Master`,
    roles: ['Admin'],
    search: ['tab'],
  },
] as const satisfies readonly Page[];
