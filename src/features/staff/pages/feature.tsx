import { browserFeature } from '#kit/browser/feature.ts';
import { staffPages } from '../contract/pages.ts';

export const staff = browserFeature(staffPages, {
  'staff/view-staff/$userID': () => import('./ProfilePage.tsx'),
  'staff/staff-list': () => import('./StaffListPage.tsx'),
});
