import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const studentPages = [
  {
    path: 'academic/section-student-mapping',
    title: text`Section Student Mapping`,
    roles: ['Admin'],
    description: text`Assign students to sections, set roll numbers and promote grades.`,
  },
] as const satisfies readonly Page[];
