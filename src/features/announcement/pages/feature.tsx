import { browserFeature, loadedCard } from '#kit/browser/feature.ts';
import { staffAnnouncementCard } from '../contract/cards.ts';
import { announcementPages } from '../contract/pages.ts';

export const announcement = browserFeature(
  announcementPages,
  {
    'announcement/announcement-list': () => import('./AnnouncementListPage.tsx'),
    'announcement/announcement-list/$announcementID': () => import('./AnnouncementPage.tsx'),
  },
  {
    cards: [
      loadedCard(staffAnnouncementCard, async () => (await import('./StaffAnnouncements.tsx')).StaffAnnouncements),
    ],
  },
);
