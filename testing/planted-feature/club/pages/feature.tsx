import { browserFeature, loadedPagePart, loadedRecordAct } from '#kit/browser/feature.ts';
import { clubFees, joinAct } from '../contract/acts.ts';
import { clubPages } from '../contract/pages.ts';

export const club = browserFeature(
  clubPages,
  {
    'club/club-list': () => import('./ClubListPage.tsx'),
    'club/meeting-list': () => import('./ClubListPage.tsx'),
  },
  {
    recordActs: [loadedRecordAct(joinAct, async () => (await import('./JoinClub.tsx')).JoinClub)],
    pageParts: [loadedPagePart(clubFees, async () => (await import('./ClubListPage.tsx')).ClubListPage)],
  },
);
