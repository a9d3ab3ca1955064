import { feeWriters, staff } from '#access/contract/grants.ts';

/** What a bank says is for those who take fees and those who decide on them, not for the office. */
export const bankReaders = [staff('accountant', 'financeApprover', 'principal')] as const;
export const bankWriters = feeWriters;
