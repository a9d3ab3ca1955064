import { browserFeature, loadedCard } from '#kit/browser/feature.ts';
import { leaveCard } from '../contract/cards.ts';
import { attendancePages } from '../contract/pages.ts';

export const attendance = browserFeature(
  attendancePages,
  {
    'attendance/student-attendance': () => import('./StudentAttendancePage.tsx'),
    'attendance/month-wise-attendance': () => import('./MonthWiseAttendancePage.tsx'),
    'attendance/daily-attendance': () => import('./DailyAttendancePage.tsx'),
    'attendance/student-leave': () => import('./StudentLeavePage.tsx'),
    'attendance/attendance-code': () => import('./AttendanceCodePage.tsx'),
  },
  { cards: [loadedCard(leaveCard, async () => (await import('./LeaveCard.tsx')).LeaveCard)] },
);
