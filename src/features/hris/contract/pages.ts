import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const hrisPages = [
  {
    path: 'hris/hris-master',
    title: text`Hris Master`,
    reads: 'GET /hris/employment-type',
    sets: ['hr'],
    tabs: [
      { key: 'employment-type', title: text`Employment types` },
      { key: 'staff-category', title: text`Staff categories` },
      { key: 'qualification', title: text`Qualifications` },
      { key: 'document-type', title: text`Document types` },
      { key: 'separation-reason', title: text`Separation reasons` },
    ],
  },
] as const satisfies readonly Page[];
