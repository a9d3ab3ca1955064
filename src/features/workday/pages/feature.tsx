import { browserFeature, loadedCard } from '#kit/browser/feature.ts';
import { workdayCard } from '../contract/cards.ts';
import { workdayPages } from '../contract/pages.ts';

export const workday = browserFeature(
  workdayPages,
  {
    'hris/hris-master': () => import('./HrisMasterPage.tsx'),
    'workday/my-leave': () => import('./MyLeavePage.tsx'),
  },
  { cards: [loadedCard(workdayCard, async () => (await import('./WorkdayCard.tsx')).WorkdayCard)] },
);
