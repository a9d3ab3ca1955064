import type { Page } from '#kit/contract/page.ts';

/** The bank stands on Student-Wise Fees Structure, part Bank. */
export const bankPages = [] as const satisfies readonly Page[];
