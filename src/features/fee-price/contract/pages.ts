import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const sets = ['accountant', 'financeApprover', 'office', 'principal'] as const;

export const discountPage = {
  path: 'fee/fee-discount-master',
  title: text`Fee Discount Master`,
  reads: 'GET /fee/discount',
  roles: ['Staff'],
  sets,
  tabs: [
    { key: 'discount', title: text`Discounts` },
    { key: 'concession', title: text`Concessions` },
    { key: 'waiting', title: text`Waiting` },
    { key: 'suggested', title: text`Suggested` },
  ],
} as const satisfies Page;

export const feePricePages = [
  {
    path: 'fee/frequency-of-payment',
    title: text`Frequency of Payment`,
    reads: 'GET /fee/frequency',
    roles: ['Staff'],
    sets,
  },
  {
    path: 'fee/fee-master',
    title: text`Fee Master`,
    reads: 'GET /fee/head',
    roles: ['Staff'],
    sets,
    tabs: [
      { key: 'head', title: text`Fee heads` },
      { key: 'fine-rule', title: text`Late fine rules` },
      { key: 'receipt-series', title: text`Receipt series` },
      { key: 'bank-account', title: text`Bank accounts` },
    ],
  },
  {
    path: 'fee/fee-structure-allocation',
    title: text`Fee Structure Allocation`,
    reads: 'GET /fee/structure',
    roles: ['Staff'],
    sets,
    isWide: true,
    search: ['tab', 'part', 'act'],
    acts: [
      {
        key: 'plans',
        title: text`Make fee plans`,
        alsoNamed: text`fee plan allocate without a plan`,
        sets: ['accountant'],
      },
    ],
  },
  {
    path: 'fee/fee-structure-allocation/$structureID',
    title: text`Fee structure`,
    reads: 'GET /fee/structure/:id',
    roles: ['Staff'],
    sets,
  },
  discountPage,
  {
    path: 'fee/fee-structure-allocation/plan/$studentID',
    title: text`Fee plan`,
    reads: 'GET /fee/plan/:id',
    roles: ['Staff'],
    sets,
    search: ['year'],
  },
] as const satisfies readonly Page[];
