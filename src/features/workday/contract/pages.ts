import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const hrisMasterPage = {
  path: 'hris/hris-master',
  title: text`Hris Master`,
  reads: 'GET /workday/usual',
  sets: ['hr', 'principal'],
  tabs: [
    { key: 'employment-type', title: text`Employment types` },
    { key: 'staff-category', title: text`Staff categories` },
    { key: 'qualification', title: text`Qualifications` },
    { key: 'document-type', title: text`Document types` },
    { key: 'separation-reason', title: text`Separation reasons` },
    { key: 'shift', title: text`Shifts` },
    { key: 'leave-type', title: text`Leave types` },
    { key: 'leave-rule', title: text`Leave rules` },
    { key: 'leave', title: text`Leave` },
    { key: 'away', title: text`Away` },
    { key: 'month', title: text`Month` },
  ],
  search: ['tab', 'month', 'page'],
} as const satisfies Page;

export const workdayPages = [
  hrisMasterPage,
  {
    path: 'workday/my-leave',
    title: text`My Leave`,
    reads: 'GET /workday/own',
    isReadAhead: true,
    roles: ['Staff'],
    search: ['act'],
    acts: [{ key: 'ask', title: text`Ask for leave`, alsoNamed: text`holiday, sick, absence, casual leave` }],
  },
] as const satisfies readonly Page[];
