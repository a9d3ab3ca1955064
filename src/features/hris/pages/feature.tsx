import { browserFeature } from '#kit/browser/feature.ts';
import { hrisPages } from '../contract/pages.ts';

export const hris = browserFeature(hrisPages, {
  'hris/hris-master': () => import('./HrisMasterPage.tsx'),
});
