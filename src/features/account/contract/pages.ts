import type { Page } from '#kit/contract/page.ts';

export const accountPages = [
  { path: 'sign-in/account', title: 'Accounts', roles: ['Admin'] },
] as const satisfies readonly Page[];
