import type { Page } from '#kit/contract/page.ts';

export const signInPages = [
  {
    path: '/login',
    title: 'Sign In',
  },
  {
    path: '/reset-password',
    title: 'Choose a password',
  },
  {
    path: '/sign-up',
    title: 'Ask for an account',
  },
] as const satisfies readonly Page[];
