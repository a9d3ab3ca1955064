import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

/** The page of a guardian's link, an entry of its own. */
export const familyPath = '/family';

export const familyPages = [
  {
    path: 'family/link-list',
    title: text`Family links`,
    reads: 'GET /family-link',
    roles: ['Staff', 'Admin'],
    sets: ['office', 'principal'],
  },
] as const satisfies readonly Page[];
