import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const students = [
  'office',
  'principal',
  'accountant',
  'transportIncharge',
  'nurse',
  'counsellor',
  'classTeacher',
  'subjectTeacher',
] as const;
const staff = ['hr', 'principal', 'headOfDepartment'] as const;

export const reportPages = [
  {
    path: 'report/student-report',
    title: text`Student Report`,
    reads: 'GET /report/student',
    sets: students,
    search: ['tab', 'search', 'sectionId', 'gradeId'],
  },
  {
    path: 'report/student-report/$studentID',
    title: text`Student Report`,
    reads: 'GET /report/student/:id',
    sets: students,
    search: ['range', 'from', 'to'],
  },
  {
    path: 'report/staff-report',
    title: text`Staff Report`,
    reads: 'GET /report/staff',
    sets: staff,
    search: ['tab', 'search'],
  },
  {
    path: 'report/staff-report/$userID',
    title: text`Staff Report`,
    reads: 'GET /report/staff/:id',
    search: ['range', 'from', 'to'],
  },
] as const satisfies readonly Page[];
