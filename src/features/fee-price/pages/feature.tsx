import { browserFeature } from '#kit/browser/feature.ts';
import { feePages } from '../contract/pages.ts';

export const fee = browserFeature(feePages, {
  'fee/frequency-of-payment': () => import('./FrequencyPage.tsx'),
  'fee/fee-structure-allocation': () => import('./StructureListPage.tsx'),
  'fee/fee-structure-allocation/$structureID': () => import('./StructurePage.tsx'),
  'fee/fee-discount-master': () => import('./DiscountMasterPage.tsx'),
  'fee/fee-structure-allocation/plan/$studentID': () => import('./FeePlanPage.tsx'),
  'fee/student-wise-fees-structure': () => import('#features/fee-money/pages/StudentFeesPage.tsx'),
  'fee/student-wise-fees-structure/$studentID': () => import('#features/fee-money/pages/StudentAccountPage.tsx'),
  'fee/fee-master': () => import('./FeeMasterPage.tsx'),
});
