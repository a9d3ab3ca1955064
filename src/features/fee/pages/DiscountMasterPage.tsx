import { lazy, Suspense } from 'react';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { discountPage } from '../contract/pages.ts';
import { Discounts } from './Discounts.tsx';

// The lists of students, which other tabs show.
const Concessions = lazy(async () => ({ default: (await import('./Concessions.tsx')).Concessions }));

/** /school-erp/fee/fee-discount-master: the discounts that a school gives, and the students who have them. */
export const DiscountMasterPage = () => (
  <MastersPage
    page={discountPage}
    bodies={{
      discount: <Discounts />,
      concession: later(''),
      waiting: later('Requested'),
      suggested: later('Suggested'),
    }}
  />
);

const later = (status: '' | 'Requested' | 'Suggested') => (
  <Suspense fallback={null}>
    <Concessions status={status} />
  </Suspense>
);
