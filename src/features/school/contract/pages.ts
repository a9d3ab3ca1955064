import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const schoolPages = [
  {
    path: 'academic/organizational-master',
    title: text`Organizational Master`,
    reads: 'GET /academic/school',
    roles: ['Admin'],
    search: ['tab'],
    tabs: [
      { key: 'school', title: text`School` },
      { key: 'branch', title: text`Branches` },
      { key: 'department', title: text`Departments` },
      { key: 'designation', title: text`Designations` },
      { key: 'lookup', title: text`Choices` },
      { key: 'career', title: text`Careers` },
      { key: 'number-series', title: text`Number series` },
      { key: 'text-message', title: text`Text messages` },
      { key: 'language', title: text`Languages` },
      { key: 'settings', title: text`Settings` },
    ],
  },
] as const satisfies readonly Page[];
