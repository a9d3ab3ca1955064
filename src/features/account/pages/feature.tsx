import { browserFeature } from '#kit/browser/feature.ts';
import { accountPages } from '../contract/pages.ts';

export const account = browserFeature(accountPages, {
  'sign-in/account': () => import('./AccountsPage.tsx'),
});
