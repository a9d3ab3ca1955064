import { text } from '#kit/contract/text.ts';
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
    title: text`Inquiry`,
    description: text`Every family that asked about a place, and how far each has come.`,
    sets: admission,
  },
  {
    path: 'admission/review-list',
    title: text`Review List`,
    description: text`Submitted forms, to read, to check and to send back where something is missing.`,
    sets: admission,
  },
  {
    path: 'admission/process-admission',
    title: text`Process Admission`,
    description: text`Interactions, decisions, offers and the seats that are left.`,
    sets: admission,
  },
  {
    path: 'admission/confirm-admission',
    title: text`Create Account`,
    description: text`Children with a confirmed place become students of a section.`,
    sets: admission,
  },
  {
    path: 'fee/frequency-of-payment',
    title: text`Frequency of Payment`,
    description: text`How often a fee falls due, and on which days.`,
    sets: fee,
  },
  {
    path: 'fee/fee-master',
    title: text`Fee Master`,
    description: text`The fee heads of the school.`,
    sets: fee,
  },
  {
    path: 'fee/fee-discount-master',
    title: text`Fee Discount Master`,
    description: text`Discounts, and which may be given together.`,
    sets: fee,
  },
  {
    path: 'fee/fee-structure-allocation',
    title: text`Fee Structure Allocation`,
    description: text`Which grade pays what in a year.`,
    sets: fee,
  },
  {
    path: 'fee/student-wise-fees-structure',
    title: text`Student-Wise Fees Structure`,
    description: text`What each family owes and has paid, with its receipts.`,
    sets: fee,
  },
  {
    path: 'hris/hris-master',
    title: text`Hris Master`,
    description: text`Designations, leave types, documents and what else the staff’s records are made of.`,
    sets: ['hr', 'principal'],
  },
  {
    path: 'report/student-report',
    title: text`Student Report`,
    description: text`All there is about a student on one page.`,
    sets: [...attendance, 'nurse', 'counsellor', 'headOfDepartment'],
  },
  {
    path: 'report/staff-report',
    title: text`Staff Report`,
    description: text`All there is about a member of staff on one page.`,
    sets: ['hr', 'principal', 'headOfDepartment'],
  },
  {
    path: 'attendance/student-attendance',
    title: text`Student Attendance`,
    description: text`The register of a section, taken in seconds.`,
    sets: attendance,
  },
  {
    path: 'attendance/month-wise-attendance',
    title: text`Month Wise Attendance`,
    description: text`A month of a section at a glance.`,
    sets: attendance,
  },
  {
    path: 'attendance/daily-attendance',
    title: text`Daily Attendance`,
    description: text`Today in every section: who is absent, and which registers are not taken.`,
    sets: attendance,
  },
  {
    path: 'transport/',
    title: text`Transport Master`,
    description: text`Stops, fares and what runs today.`,
    sets: transport,
  },
  {
    path: 'transport/time-slot',
    title: text`Time Slot`,
    description: text`When buses bring and fetch the children.`,
    sets: transport,
  },
  {
    path: 'transport/vehicle',
    title: text`Vehicle Master`,
    description: text`Buses and vans, their papers and their seats.`,
    sets: transport,
  },
  {
    path: 'transport/route',
    title: text`Route Master`,
    description: text`Routes with their stops in order.`,
    sets: transport,
  },
  {
    path: 'transport/staff-stop-change',
    title: text`Staff Stop Change`,
    description: text`Moves of staff from one stop to another.`,
    sets: transport,
  },
  {
    path: 'transport/student-stop-change',
    title: text`Student Stop Change`,
    description: text`Moves of students from one stop to another.`,
    sets: transport,
  },
  {
    path: 'ticket/ticket-entry-assign-by-me',
    title: text`Ticket Entry Assign By`,
    description: text`What you have asked others to do.`,
  },
  {
    path: 'ticket/ticket-entry-assign-to-me',
    title: text`Ticket Entry Assign To Me`,
    description: text`What others have asked you to do.`,
  },
  {
    path: 'student-observation/student-observation-list',
    title: text`Student Observation`,
    description: text`What teachers have noticed about a student, and what follows from it.`,
    sets: [...attendance, 'counsellor', 'headOfDepartment'],
  },
  {
    path: 'homework/homework-list',
    title: text`Homework`,
    description: text`What was set for a section, and who has handed it in.`,
    sets: attendance,
  },
  {
    path: 'announcement/announcement-list',
    title: text`Announcement`,
    description: text`What the school tells families and staff.`,
  },
  {
    path: 'student/student-list',
    title: text`Student List`,
    description: text`Every student the school has or has had.`,
  },
  {
    path: 'staff/staff-list',
    title: text`Staff List`,
    description: text`Everybody who works here or has worked here.`,
  },
  {
    path: 'ticket/ticket-master',
    title: text`Ticket Masters`,
    description: text`Kinds of tickets, how urgent they can be, and how soon each is due.`,
  },
  {
    path: 'observation/observation-master',
    title: text`Observation Master`,
    description: text`What can be observed, and in which words.`,
  },
  {
    path: 'staff-observation/staff-observation-list',
    title: text`Staff Observation`,
    description: text`Visits to lessons, and what was agreed after them.`,
  },
];
