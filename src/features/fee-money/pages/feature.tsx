import { browserFeature } from '#kit/browser/feature.ts';
import { feeMoneyPages } from '../contract/pages.ts';

export const feeMoney = browserFeature(feeMoneyPages, {
  'fee/student-wise-fees-structure': () => import('./StudentFeesPage.tsx'),
  'fee/student-wise-fees-structure/$studentID': () => import('./StudentAccountPage.tsx'),
});
