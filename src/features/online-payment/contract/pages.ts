import type { Page } from '#kit/contract/page.ts';

/** What families pay from home stands on Student-Wise Fees Structure, part Bank, and on the family page. */
export const onlinePaymentPages = [] as const satisfies readonly Page[];
