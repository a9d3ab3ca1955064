import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const studentPages = [
  {
    path: 'academic/section-student-mapping',
    title: text`Section Student Mapping`,
    reads: 'GET /academic/section-student',
    roles: ['Admin'],
    tabs: [
      { key: 'place', title: text`Assign and move` },
      { key: 'roll', title: text`Roll numbers` },
      { key: 'promote', title: text`Promote` },
    ],
  },
] as const satisfies readonly Page[];
