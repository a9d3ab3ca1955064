import { browserFeature } from '#kit/browser/feature.ts';
import { tagPages } from '../contract/pages.ts';

export const tag = browserFeature(tagPages, {
  'configuration/tag-master': () => import('./TagMasterPage.tsx'),
});
