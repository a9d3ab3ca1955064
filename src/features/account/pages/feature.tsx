import { browserFeature, loadedCard, loadedListAct } from '#kit/browser/feature.ts';
import { accountCard, accountListAct, passwordCard, sessionsCard, signInCard } from '../contract/cards.ts';
import { accountPages } from '../contract/pages.ts';

const ownAccount = () => import('./OwnAccount.tsx');

export const account = browserFeature(
  accountPages,
  { 'sign-in/account': () => import('./AccountsPage.tsx') },
  {
    cards: [
      loadedCard(signInCard, async () => (await ownAccount()).SignInCard),
      loadedCard(passwordCard, async () => (await ownAccount()).PasswordCard),
      loadedCard(sessionsCard, async () => (await ownAccount()).SessionsCard),
      loadedCard(accountCard, async () => (await import('./AccountCard.tsx')).AccountCard),
    ],
    listActs: [loadedListAct(accountListAct, async () => (await import('./AccountActs.tsx')).AccountActs)],
  },
);
