import { browserFeature } from '#kit/browser/feature.ts';
import { clubPages } from '../contract/pages.ts';

export const club = browserFeature(clubPages, {
  'club/club-list': () => import('./ClubListPage.tsx'),
  'club/meeting-list': () => import('./ClubListPage.tsx'),
});
