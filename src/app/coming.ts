import type { ProductPage } from './menu.ts';

const teachers = ['classTeacher', 'subjectTeacher'] as const;
const admission = ['office', 'admissionHead', 'accountant', 'principal'] as const;
const fee = ['accountant', 'financeApprover', 'office', 'principal'] as const;
const attendance = [...teachers, 'office', 'principal'] as const;
const transport = ['transportIncharge', 'principal'] as const;

/** Pages of the menu that are not built yet. A feature that brings one takes it out of this list. */
export const comingPages: readonly ProductPage[] = [
  {
    path: 'admission/inquiry',
    title: 'Inquiry',
    description: 'Every family that asked about a place, and how far each has come.',
    sets: admission,
  },
  {
    path: 'admission/review-list',
    title: 'Review List',
    description: 'Submitted forms, to read, to check and to send back where something is missing.',
    sets: admission,
  },
  {
    path: 'admission/process-admission',
    title: 'Process Admission',
    description: 'Interactions, decisions, offers and the seats that are left.',
    sets: admission,
  },
  {
    path: 'admission/confirm-admission',
    title: 'Create Account',
    description: 'Children with a confirmed place become students of a section.',
    sets: admission,
  },
  {
    path: 'fee/frequency-of-payment',
    title: 'Frequency of Payment',
    description: 'How often a fee falls due, and on which days.',
    sets: fee,
  },
  {
    path: 'fee/fee-master',
    title: 'Fee Master',
    description: 'The fee heads of the school.',
    sets: fee,
  },
  {
    path: 'fee/fee-discount-master',
    title: 'Fee Discount Master',
    description: 'Discounts, and which may be given together.',
    sets: fee,
  },
  {
    path: 'fee/fee-structure-allocation',
    title: 'Fee Structure Allocation',
    description: 'Which grade pays what in a year.',
    sets: fee,
  },
  {
    path: 'fee/student-wise-fees-structure',
    title: 'Student-Wise Fees Structure',
    description: 'What each family owes and has paid, with its receipts.',
    sets: fee,
  },
  {
    path: 'hris/hris-master',
    title: 'Hris Master',
    description: 'Designations, leave types, documents and what else the staff’s records are made of.',
    sets: ['hr', 'principal'],
  },
  {
    path: 'report/student-report',
    title: 'Student Report',
    description: 'All there is about a student on one page.',
    sets: [...attendance, 'nurse', 'counsellor', 'headOfDepartment'],
  },
  {
    path: 'report/staff-report',
    title: 'Staff Report',
    description: 'All there is about a member of staff on one page.',
    sets: ['hr', 'principal', 'headOfDepartment'],
  },
  {
    path: 'attendance/student-attendance',
    title: 'Student Attendance',
    description: 'The register of a section, taken in seconds.',
    sets: attendance,
  },
  {
    path: 'attendance/month-wise-attendance',
    title: 'Month Wise Attendance',
    description: 'A month of a section at a glance.',
    sets: attendance,
  },
  {
    path: 'attendance/daily-attendance',
    title: 'Daily Attendance',
    description: 'Today in every section: who is absent, and which registers are not taken.',
    sets: attendance,
  },
  {
    path: 'transport/',
    title: 'Transport Master',
    description: 'Stops, fares and what runs today.',
    sets: transport,
  },
  {
    path: 'transport/time-slot',
    title: 'Time Slot',
    description: 'When buses bring and fetch the children.',
    sets: transport,
  },
  {
    path: 'transport/vehicle',
    title: 'Vehicle Master',
    description: 'Buses and vans, their papers and their seats.',
    sets: transport,
  },
  {
    path: 'transport/route',
    title: 'Route Master',
    description: 'Routes with their stops in order.',
    sets: transport,
  },
  {
    path: 'transport/staff-stop-change',
    title: 'Staff Stop Change',
    description: 'Moves of staff from one stop to another.',
    sets: transport,
  },
  {
    path: 'transport/student-stop-change',
    title: 'Student Stop Change',
    description: 'Moves of students from one stop to another.',
    sets: transport,
  },
  {
    path: 'ticket/ticket-entry-assign-by-me',
    title: 'Ticket Entry Assign By',
    description: 'What you have asked others to do.',
  },
  {
    path: 'ticket/ticket-entry-assign-to-me',
    title: 'Ticket Entry Assign To Me',
    description: 'What others have asked you to do.',
  },
  {
    path: 'student-observation/student-observation-list',
    title: 'Student Observation',
    description: 'What teachers have noticed about a student, and what follows from it.',
    sets: [...attendance, 'counsellor', 'headOfDepartment'],
  },
  {
    path: 'homework/homework-list',
    title: 'Homework',
    description: 'What was set for a section, and who has handed it in.',
    sets: attendance,
  },
  {
    path: 'announcement/announcement-list',
    title: 'Announcement',
    description: 'What the school tells families and staff.',
  },
  {
    path: 'student/student-list',
    title: 'Student List',
    description: 'Every student the school has or has had.',
  },
  {
    path: 'staff/staff-list',
    title: 'Staff List',
    description: 'Everybody who works here or has worked here.',
  },
  {
    path: 'ticket/ticket-master',
    title: 'Ticket Masters',
    description: 'Kinds of tickets, how urgent they can be, and how soon each is due.',
  },
  {
    path: 'observation/observation-master',
    title: 'Observation Master',
    description: 'What can be observed, and in which words.',
  },
  {
    path: 'staff-observation/staff-observation-list',
    title: 'Staff Observation',
    description: 'Visits to lessons, and what was agreed after them.',
  },
];
