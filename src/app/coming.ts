import { text } from '#kit/contract/text.ts';
import type { ProductPage } from './menu.ts';

const teachers = ['classTeacher', 'subjectTeacher'] as const;
const attendance = [...teachers, 'office', 'principal'] as const;

/** Pages of the menu that are not built yet. A feature that adds one removes it from this list. */
export const comingPages: readonly ProductPage[] = [
  {
    path: 'ticket/ticket-entry-assign-by-me',
    title: text`Ticket Entry Assign By`,
  },
  {
    path: 'ticket/ticket-entry-assign-to-me',
    title: text`Ticket Entry Assign To Me`,
  },
  {
    path: 'student-observation/student-observation-list',
    title: text`Student Observation`,
    sets: [...attendance, 'counsellor', 'headOfDepartment'],
  },
  {
    path: 'announcement/announcement-list',
    title: text`Announcement`,
  },
  {
    path: 'ticket/ticket-master',
    title: text`Ticket Masters`,
  },
  {
    path: 'observation/observation-master',
    title: text`Observation Master`,
  },
  {
    path: 'staff-observation/staff-observation-list',
    title: text`Staff Observation`,
  },
];
