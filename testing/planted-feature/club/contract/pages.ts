import type { Page } from '#kit/contract/page.ts';

export const clubPages = [
  { path: 'club/club-list', title: 'Planted Club List', description: 'The clubs of this school.' },
] as const satisfies readonly Page[];
