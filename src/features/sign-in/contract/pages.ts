import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const signInPages = [
  {
    path: '/login',
    title: text`Sign In`,
  },
  {
    path: '/reset-password',
    title: text`Choose a new password`,
  },
  {
    path: '/sign-up',
    title: text`Request an account`,
  },
] as const satisfies readonly Page[];
