import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { discountPage } from '../contract/pages.ts';
import { Discounts } from './Discounts.tsx';

/** /school-erp/fee/fee-discount-master: the discounts that a school gives. */
export const DiscountMasterPage = () => <MastersPage page={discountPage} bodies={{ discount: <Discounts /> }} />;
