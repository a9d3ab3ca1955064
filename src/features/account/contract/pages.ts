import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const accountPages = [
  { path: 'sign-in/account', title: text`Accounts`, reads: 'GET /account', roles: ['Admin'], search: ['search'] },
] as const satisfies readonly Page[];
