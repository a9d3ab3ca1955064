import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const readers = [
  'office',
  'principal',
  'accountant',
  'transportIncharge',
  'nurse',
  'counsellor',
  'classTeacher',
  'subjectTeacher',
] as const;

const makers = ['office', 'principal'] as const;

export const sectionStudentPage = {
  path: 'academic/section-student-mapping',
  title: text`Section Student Mapping`,
  reads: 'GET /academic/section-student',
  isWide: true,
  roles: ['Admin'],
  tabs: [
    { key: 'place', title: text`Assign and move` },
    { key: 'roll', title: text`Roll numbers` },
    { key: 'promote', title: text`Promote` },
  ],
} as const satisfies Page;

export const studentPages = [
  {
    path: 'student/student-list',
    title: text`Student List`,
    reads: 'GET /student',
    isReadAhead: true,
    isOffered: true,
    sets: readers,
    search: ['tab', 'search', 'act', 'doubt'],
    acts: [
      { key: 'add', title: text`Add student`, alsoNamed: text`new admit child`, sets: ['office'] },
      { key: 'import', title: text`Import students`, alsoNamed: text`upload sheet Excel CSV`, sets: ['office'] },
      {
        key: 'certificate',
        title: text`Certificate`,
        alsoNamed: text`bonafide character study`,
        asks: 'student',
        sets: makers,
      },
      {
        key: 'correct',
        title: text`Correct a register entry`,
        alsoNamed: text`birth date name caste order`,
        asks: 'student',
        sets: makers,
      },
      {
        key: 'section',
        title: text`Change section`,
        alsoNamed: text`transfer move class`,
        asks: 'student',
        sets: ['office'],
      },
      {
        key: 'roll',
        title: text`Roll number`,
        alsoNamed: text`class list number`,
        asks: 'student',
        sets: ['office'],
      },
      {
        key: 'result',
        title: text`Correct a result`,
        alsoNamed: text`re-test promoted detained passed failed`,
        asks: 'student',
        sets: makers,
      },
      {
        key: 'leave',
        title: text`Leave the school`,
        alsoNamed: text`leaving last day withdraw`,
        asks: 'student',
        sets: ['office'],
      },
      {
        key: 'leaving-certificate',
        title: text`Leaving certificate`,
        alsoNamed: text`LC TC transfer certificate`,
        asks: 'student',
        sets: makers,
      },
    ],
  },
  {
    path: 'student/student-list/$studentID',
    title: text`Student`,
    reads: 'GET /student/:id',
    isReadAhead: true,
    within: ['report/student-report'],
    sets: readers,
    search: ['part', 'act'],
  },
  {
    path: 'student/certificate-list',
    title: text`Certificates`,
    reads: 'GET /student/certificate',
    isOffered: true,
    within: ['report/student-report', 'student/student-list'],
    sets: ['office', 'principal'],
    search: ['tab', 'search'],
  },
  {
    path: 'student/result-list',
    title: text`Results of the year`,
    reads: 'GET /student/result',
    isOffered: true,
    within: ['student/student-list'],
    sets: ['office', 'principal', 'classTeacher'],
    search: ['search', 'state', 'sectionId', 'act'],
    acts: [
      { key: 'decide', title: text`Decide who is promoted`, alsoNamed: text`detain re-test results promote year end` },
    ],
  },
  {
    path: 'student/student-list/$studentID/merge',
    title: text`Merge two records of one child`,
    reads: 'GET /student/:id/double',
    sets: ['office', 'principal'],
    search: ['with', 'keeps'],
  },
  {
    path: 'student/student-list/$studentID/guardian/$guardianID/merge',
    title: text`Merge two records of one adult`,
    reads: 'GET /guardian/:id/double',
    sets: ['office'],
    search: ['with', 'keeps'],
  },
  sectionStudentPage,
] as const satisfies readonly Page[];
