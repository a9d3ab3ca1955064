import { browserFeature, loadedListAct, loadedPagePart } from '#kit/browser/feature.ts';
import { dayPart, depositAct, depositPart, statementPart, tallyPart, unseenPart } from '../contract/cards.ts';
import { bankPages } from '../contract/pages.ts';

export const bank = browserFeature(
  bankPages,
  {},
  {
    pageParts: [
      loadedPagePart(statementPart, async () => (await import('./Statement.tsx')).Statement),
      loadedPagePart(depositPart, async () => (await import('./Deposits.tsx')).Deposits),
      loadedPagePart(unseenPart, async () => (await import('./Unseen.tsx')).Unseen),
      loadedPagePart(dayPart, async () => (await import('./DayTicks.tsx')).DayTicks),
      loadedPagePart(tallyPart, async () => (await import('./Tally.tsx')).Tally),
    ],
    listActs: [loadedListAct(depositAct, async () => (await import('./DepositAct.tsx')).DepositAct)],
  },
);
