import { lazy, type ReactNode, Suspense } from 'react';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { discountPage } from '../contract/pages.ts';

// Each tab is loaded when it is opened.
const Discounts = lazy(async () => ({ default: (await import('./Discounts.tsx')).Discounts }));
const Concessions = lazy(async () => ({ default: (await import('./Concessions.tsx')).Concessions }));

/** /school-erp/fee/fee-discount-master: the discounts that a school gives, and the students who have them. */
export const DiscountMasterPage = () => (
  <MastersPage
    page={discountPage}
    bodies={{
      discount: later(<Discounts />),
      concession: later(<Concessions status="" />),
      waiting: later(<Concessions status="Requested" />),
      suggested: later(<Concessions status="Suggested" />),
    }}
  />
);

const later = (tab: ReactNode) => <Suspense fallback={null}>{tab}</Suspense>;
