import { browserFeature } from '#kit/browser/feature.ts';
import { reportPages } from '../contract/pages.ts';

export const report = browserFeature(reportPages, {
  'report/student-report': () => import('./StudentFinderPage.tsx'),
  'report/student-report/$studentID': () => import('./StudentReportPage.tsx'),
  'report/staff-report': () => import('./StaffFinderPage.tsx'),
  'report/staff-report/$userID': () => import('./StaffReportPage.tsx'),
});
