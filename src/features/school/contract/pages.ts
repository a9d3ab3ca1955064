import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const schoolPages = [
  {
    path: 'academic/organizational-master',
    title: text`Organizational Master`,
    roles: ['Admin'],
    description: text`The school’s profile, branches, departments, designations and number series.`,
    search: ['tab'],
  },
] as const satisfies readonly Page[];
