import { browserFeature } from '#kit/browser/feature.ts';
import { announcementPages } from '../contract/pages.ts';

export const announcement = browserFeature(announcementPages, {
  'announcement/announcement-list': () => import('./AnnouncementListPage.tsx'),
  'announcement/announcement-list/$announcementID': () => import('./AnnouncementPage.tsx'),
});
