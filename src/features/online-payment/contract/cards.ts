import { feeReaders } from '#access/contract/grants.ts';
import type { PagePart } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';

/** Among the parts of Bank on Student-Wise Fees Structure. */
export const homePaymentPart: PagePart = {
  page: 'fee/student-wise-fees-structure/bank',
  key: 'home',
  order: 10,
  title: text`Paid from home`,
  access: feeReaders,
};
