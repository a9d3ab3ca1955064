import { browserFeature, loadedPagePart } from '#kit/browser/feature.ts';
import { homePaymentPart } from '../contract/cards.ts';
import { onlinePaymentPages } from '../contract/pages.ts';

export const onlinePayment = browserFeature(
  onlinePaymentPages,
  {},
  { pageParts: [loadedPagePart(homePaymentPart, async () => (await import('./HomePayments.tsx')).HomePayments)] },
);
