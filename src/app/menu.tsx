import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  IconBook2,
  IconBus,
  IconCalendarCheck,
  IconClipboardText,
  IconEye,
  IconHome,
  IconId,
  IconListDetails,
  IconReceiptRupee,
  IconReport,
  IconSchool,
  IconSpeakerphone,
  IconTags,
  IconTicket,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PermissionSet, Role } from '#features/sign-in/contract/access.ts';

/** A page of the menu. Its address stands below /school-erp; '' is the dashboard. */
export interface MenuPage {
  title: MessageDescriptor;
  link: string;
  /** What the page is for, said until it is built. */
  what: MessageDescriptor;
  /** Who among the Staff may do anything there; nobody named, everybody. The server decides again. */
  sets?: readonly PermissionSet[];
}

/** A group that opens, or with a single page of its own title a link. */
export interface MenuGroup {
  title: MessageDescriptor;
  icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;
  pages: readonly MenuPage[];
}

const teachers = ['classTeacher', 'subjectTeacher'] as const;
const admission = ['office', 'admissionHead', 'accountant', 'principal'] as const;
const fee = ['accountant', 'financeApprover', 'office', 'principal'] as const;
const attendance = [...teachers, 'office', 'principal'] as const;
const transport = ['transportIncharge', 'principal'] as const;

const dashboard: MenuGroup = {
  title: msg`Dashboard`,
  icon: IconHome,
  pages: [{ title: msg`Dashboard`, link: '', what: msg`What needs you today.` }],
};

/** One page that is a group of its own. */
const alone = (icon: MenuGroup['icon'], page: MenuPage): MenuGroup => ({ title: page.title, icon, pages: [page] });

/** The side menu of each role, as the specification lists it (section 2). */
export const menus: Record<Role, readonly MenuGroup[]> = {
  Staff: [
    dashboard,
    {
      title: msg`Admission`,
      icon: IconClipboardText,
      pages: [
        {
          title: msg`Inquiry`,
          link: 'admission/inquiry',
          what: msg`Every family that asked about a place, and how far each has come.`,
          sets: admission,
        },
        {
          title: msg`Review List`,
          link: 'admission/review-list',
          what: msg`Submitted forms, to read, to check and to send back where something is missing.`,
          sets: admission,
        },
        {
          title: msg`Process Admission`,
          link: 'admission/process-admission',
          what: msg`Interactions, decisions, offers and the seats that are left.`,
          sets: admission,
        },
        {
          title: msg`Create Account`,
          link: 'admission/confirm-admission',
          what: msg`Children with a confirmed place become students of a section.`,
          sets: admission,
        },
      ],
    },
    {
      title: msg`Fee`,
      icon: IconReceiptRupee,
      pages: [
        {
          title: msg`Frequency of Payment`,
          link: 'fee/frequency-of-payment',
          what: msg`How often a fee falls due, and on which days.`,
          sets: fee,
        },
        { title: msg`Fee Master`, link: 'fee/fee-master', what: msg`The fee heads of the school.`, sets: fee },
        {
          title: msg`Fee Discount Master`,
          link: 'fee/fee-discount-master',
          what: msg`Discounts, and which may be given together.`,
          sets: fee,
        },
        {
          title: msg`Fee Structure Allocation`,
          link: 'fee/fee-structure-allocation',
          what: msg`Which grade pays what in a year.`,
          sets: fee,
        },
        {
          title: msg`Student-Wise Fees Structure`,
          link: 'fee/student-wise-fees-structure',
          what: msg`What each family owes and has paid, with its receipts.`,
          sets: fee,
        },
      ],
    },
    {
      title: msg`HRIS`,
      icon: IconId,
      pages: [
        {
          title: msg`Hris Master`,
          link: 'hris/hris-master',
          what: msg`Designations, leave types, documents and what else the staff’s records are made of.`,
          sets: ['hr', 'principal'],
        },
      ],
    },
    {
      title: msg`360° View`,
      icon: IconReport,
      pages: [
        {
          title: msg`Student Report`,
          link: 'report/student-report',
          what: msg`All there is about a student on one page.`,
          sets: [...attendance, 'nurse', 'counsellor', 'headOfDepartment'],
        },
        {
          title: msg`Staff Report`,
          link: 'report/staff-report',
          what: msg`All there is about a member of staff on one page.`,
          sets: ['hr', 'principal', 'headOfDepartment'],
        },
      ],
    },
    {
      title: msg`Attendance`,
      icon: IconCalendarCheck,
      pages: [
        {
          title: msg`Student Attendance`,
          link: 'attendance/student-attendance',
          what: msg`The register of a section, taken in seconds.`,
          sets: attendance,
        },
        {
          title: msg`Month Wise Attendance`,
          link: 'attendance/month-wise-attendance',
          what: msg`A month of a section at a glance.`,
          sets: attendance,
        },
        {
          title: msg`Daily Attendance`,
          link: 'attendance/daily-attendance',
          what: msg`Today in every section: who is absent, and which registers are not taken.`,
          sets: attendance,
        },
      ],
    },
    {
      title: msg`Transport`,
      icon: IconBus,
      pages: [
        {
          title: msg`Transport Master`,
          link: 'transport/',
          what: msg`Stops, fares and what runs today.`,
          sets: transport,
        },
        {
          title: msg`Time Slot`,
          link: 'transport/time-slot',
          what: msg`When buses bring and fetch the children.`,
          sets: transport,
        },
        {
          title: msg`Vehicle Master`,
          link: 'transport/vehicle',
          what: msg`Buses and vans, their papers and their seats.`,
          sets: transport,
        },
        {
          title: msg`Route Master`,
          link: 'transport/route',
          what: msg`Routes with their stops in order.`,
          sets: transport,
        },
        {
          title: msg`Staff Stop Change`,
          link: 'transport/staff-stop-change',
          what: msg`Moves of staff from one stop to another.`,
          sets: transport,
        },
        {
          title: msg`Student Stop Change`,
          link: 'transport/student-stop-change',
          what: msg`Moves of students from one stop to another.`,
          sets: transport,
        },
      ],
    },
    {
      title: msg`Ticket`,
      icon: IconTicket,
      pages: [
        {
          title: msg`Ticket Entry Assign By`,
          link: 'ticket/ticket-entry-assign-by-me',
          what: msg`What you have asked others to do.`,
        },
        {
          title: msg`Ticket Entry Assign To Me`,
          link: 'ticket/ticket-entry-assign-to-me',
          what: msg`What others have asked you to do.`,
        },
      ],
    },
    {
      title: msg`Observation`,
      icon: IconEye,
      pages: [
        {
          title: msg`Student Observation`,
          link: 'student-observation/student-observation-list',
          what: msg`What teachers have noticed about a student, and what follows from it.`,
          sets: [...attendance, 'counsellor', 'headOfDepartment'],
        },
      ],
    },
    alone(IconBook2, {
      title: msg`Homework`,
      link: 'homework/homework-list',
      what: msg`What was set for a section, and who has handed it in.`,
      sets: attendance,
    }),
    alone(IconSpeakerphone, {
      title: msg`Announcement`,
      link: 'announcement/announcement-list',
      what: msg`What the school tells families and staff.`,
    }),
  ],
  Admin: [
    dashboard,
    {
      title: msg`School Setup`,
      icon: IconSchool,
      pages: [
        {
          title: msg`Academic Master`,
          link: 'academic/academic-master',
          what: msg`Years, terms, boards, programs, grades, sections, grading scales and the calendar.`,
        },
        {
          title: msg`Organizational Master`,
          link: 'academic/organizational-master',
          what: msg`The school itself: name, logo, branches, departments and its number series.`,
        },
        {
          title: msg`Section Teacher Mapping`,
          link: 'academic/section-teacher-mapping',
          what: msg`Who teaches which section what, and since when.`,
        },
        {
          title: msg`Section Student Mapping`,
          link: 'academic/section-student-mapping',
          what: msg`Which student is in which section, and since when.`,
        },
      ],
    },
    {
      title: msg`Student Master`,
      icon: IconUsers,
      pages: [
        { title: msg`Student List`, link: 'student/student-list', what: msg`Every student the school has or has had.` },
      ],
    },
    {
      title: msg`Staff Master`,
      icon: IconUserCheck,
      pages: [
        { title: msg`Staff List`, link: 'staff/staff-list', what: msg`Everybody who works here or has worked here.` },
      ],
    },
    {
      title: msg`Ticket`,
      icon: IconTicket,
      pages: [
        {
          title: msg`Ticket Masters`,
          link: 'ticket/ticket-master',
          what: msg`Kinds of tickets, how urgent they can be, and how soon each is due.`,
        },
      ],
    },
    alone(IconListDetails, {
      title: msg`Observation Master`,
      link: 'observation/observation-master',
      what: msg`What can be observed, and in which words.`,
    }),
    {
      title: msg`Observation`,
      icon: IconEye,
      pages: [
        {
          title: msg`Staff Observation`,
          link: 'staff-observation/staff-observation-list',
          what: msg`Visits to lessons, and what was agreed after them.`,
        },
      ],
    },
    alone(IconBook2, {
      title: msg`Subject Master`,
      link: 'configuration/subject',
      what: msg`The subjects of each grade.`,
    }),
    {
      title: msg`Master`,
      icon: IconTags,
      pages: [
        {
          title: msg`Tag Master`,
          link: 'configuration/tag-master',
          what: msg`Words by which records are found again.`,
        },
        {
          title: msg`Skill Master`,
          link: 'configuration/skill-master',
          what: msg`Skills that are taught and observed.`,
        },
      ],
    },
  ],
};

/** The menu of somebody who is signed in: without pages where they may do nothing, and groups that hold none. */
export function menuOf(role: Role, sets: readonly PermissionSet[]): MenuGroup[] {
  const isOpen = ({ sets: needed }: MenuPage) =>
    !needed || role === 'Admin' || needed.some((set) => sets.includes(set));
  return menus[role]
    .map((group) => ({ ...group, pages: group.pages.filter(isOpen) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Every page of either menu, each address once. */
export const allPages: readonly MenuPage[] = [
  ...new Map([...menus.Staff, ...menus.Admin].flatMap(({ pages }) => pages).map((page) => [page.link, page])).values(),
];
