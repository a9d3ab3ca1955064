import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const subjectPages = [
  {
    path: 'configuration/subject',
    title: text`Subject Master`,
    roles: ['Admin'],
    description: text`Subjects and electives of each grade.`,
    search: ['tab'],
  },
] as const satisfies readonly Page[];
