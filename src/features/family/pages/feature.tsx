import { browserFeature, loadedCard } from '#kit/browser/feature.ts';
import { familyLinkCard } from '../contract/cards.ts';
import { familyPages } from '../contract/pages.ts';

export const family = browserFeature(
  familyPages,
  { 'family/link-list': () => import('./LinkListPage.tsx') },
  { cards: [loadedCard(familyLinkCard, async () => (await import('./FamilyLinkCard.tsx')).FamilyLinkCard)] },
);
