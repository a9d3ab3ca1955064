import { browserFeature } from '#kit/browser/feature.ts';
import { feePricePages } from '../contract/pages.ts';

export const feePrice = browserFeature(feePricePages, {
  'fee/frequency-of-payment': () => import('./FrequencyPage.tsx'),
  'fee/fee-structure-allocation': () => import('./StructureListPage.tsx'),
  'fee/fee-structure-allocation/$structureID': () => import('./StructurePage.tsx'),
  'fee/fee-discount-master': () => import('./DiscountMasterPage.tsx'),
  'fee/fee-structure-allocation/plan/$studentID': () => import('./FeePlanPage.tsx'),
  'fee/fee-master': () => import('./FeeMasterPage.tsx'),
});
