import { browserFeature } from '#kit/browser/feature.ts';
import { signInPages } from '../contract/pages.ts';

export const signIn = browserFeature(signInPages, {
  '/login': () => import('./SignInPage.tsx'),
  '/reset-password': () => import('./ResetPage.tsx'),
  '/sign-up': () => import('./SignUpPage.tsx'),
});
