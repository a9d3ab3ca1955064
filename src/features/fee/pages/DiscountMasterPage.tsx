import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { discountPage } from '../contract/pages.ts';
import { Concessions } from './Concessions.tsx';
import { Discounts } from './Discounts.tsx';

/** /school-erp/fee/fee-discount-master: the discounts that a school gives, and the students who have them. */
export const DiscountMasterPage = () => (
  <MastersPage
    page={discountPage}
    bodies={{
      discount: <Discounts />,
      concession: <Concessions status="" />,
      waiting: <Concessions status="Requested" />,
      suggested: <Concessions status="Suggested" />,
    }}
  />
);
