import type { PermissionSet, Role } from '#access/contract/grants.ts';
import type { Page } from '#kit/contract/page.ts';
import { type Text, text } from '#kit/contract/text.ts';

/** A page that names roles and permission sets of the product only. */
export interface ProductPage extends Page {
  roles?: readonly Role[];
  sets?: readonly PermissionSet[];
}

interface Group {
  title: Text;
  icon: string;
  /** Paths of its pages. A single page of the group's own title is a link in place of the group. */
  pages: readonly string[];
}

/** The page after signing in; its path is that of the shell. */
export const dashboardPage = {
  path: '',
  title: text`Dashboard`,
} as const satisfies ProductPage;

/** The side menu of each role, as the specification lists it (section 2): groups in their order, pages by their path. */
export const menu = {
  Staff: [
    {
      title: text`Dashboard`,
      icon: 'home',
      pages: [''],
    },
    {
      title: text`Admission`,
      icon: 'clipboard-text',
      pages: [
        'admission/inquiry',
        'admission/review-list',
        'admission/process-admission',
        'admission/confirm-admission',
      ],
    },
    {
      title: text`Fee`,
      icon: 'receipt-rupee',
      pages: [
        'fee/frequency-of-payment',
        'fee/fee-master',
        'fee/fee-discount-master',
        'fee/fee-structure-allocation',
        'fee/student-wise-fees-structure',
      ],
    },
    {
      title: text`HRIS`,
      icon: 'id',
      pages: ['hris/hris-master'],
    },
    {
      title: text`360° View`,
      icon: 'report',
      pages: ['report/student-report', 'report/staff-report'],
    },
    {
      title: text`Attendance`,
      icon: 'calendar-check',
      pages: ['attendance/student-attendance', 'attendance/month-wise-attendance', 'attendance/daily-attendance'],
    },
    {
      title: text`Transport`,
      icon: 'bus',
      pages: [
        'transport/',
        'transport/time-slot',
        'transport/vehicle',
        'transport/route',
        'transport/staff-stop-change',
        'transport/student-stop-change',
      ],
    },
    {
      title: text`Ticket`,
      icon: 'ticket',
      pages: ['ticket/ticket-entry-assign-by-me', 'ticket/ticket-entry-assign-to-me'],
    },
    {
      title: text`Observation`,
      icon: 'eye',
      pages: ['student-observation/student-observation-list'],
    },
    {
      title: text`Homework`,
      icon: 'book2',
      pages: ['homework/homework-list'],
    },
    {
      title: text`Announcement`,
      icon: 'speakerphone',
      pages: ['announcement/announcement-list'],
    },
  ],
  Admin: [
    {
      title: text`Dashboard`,
      icon: 'home',
      pages: [''],
    },
    {
      title: text`School Setup`,
      icon: 'school',
      pages: [
        'academic/academic-master',
        'academic/organizational-master',
        'academic/section-teacher-mapping',
        'academic/section-student-mapping',
      ],
    },
    {
      title: text`Student Master`,
      icon: 'users',
      pages: ['student/student-list'],
    },
    {
      title: text`Staff Master`,
      icon: 'user-check',
      pages: ['staff/staff-list'],
    },
    {
      title: text`Ticket`,
      icon: 'ticket',
      pages: ['ticket/ticket-master'],
    },
    {
      title: text`Observation Master`,
      icon: 'list-details',
      pages: ['observation/observation-master'],
    },
    {
      title: text`Observation`,
      icon: 'eye',
      pages: ['staff-observation/staff-observation-list'],
    },
    {
      title: text`Subject Master`,
      icon: 'book2',
      pages: ['configuration/subject'],
    },
    {
      title: text`Master`,
      icon: 'tags',
      pages: ['configuration/tag-master', 'configuration/skill-master'],
    },
  ],
} as const satisfies Record<Role, readonly Group[]>;
