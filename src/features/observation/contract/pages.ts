import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const noteReaders = ['classTeacher', 'subjectTeacher', 'principal', 'counsellor'] as const;

export const observationPages = [
  {
    path: 'student-observation/student-observation-list',
    title: text`Student Observation`,
    reads: 'GET /observation-note',
    roles: ['Staff'],
    sets: noteReaders,
    search: ['tab', 'search', 'studentId', 'followUp', 'act'],
    acts: [
      { key: 'add', title: text`Add observation`, alsoNamed: text`note on a student behaviour`, isDaily: true },
      { key: 'praise', title: text`Add a positive note`, alsoNamed: text`praise` },
    ],
  },
  {
    path: 'student-observation/student-observation-list/$noteID',
    title: text`Observation`,
    reads: 'GET /observation-note/:id',
    roles: ['Staff'],
    sets: noteReaders,
  },
  {
    path: 'observation/observation-master',
    title: text`Observation Master`,
    reads: 'GET /observation/type',
    roles: ['Admin'],
    tabs: [
      { key: 'type', title: text`Types` },
      { key: 'rubric', title: text`Rubrics` },
      { key: 'scale', title: text`Rating scales` },
      { key: 'level', title: text`Levels` },
      { key: 'action', title: text`Follow-up actions` },
    ],
    search: ['tab'],
  },
  {
    path: 'observation/rubric/$rubricID',
    title: text`Rubric`,
    reads: 'GET /observation/rubric/:id/version',
    roles: ['Admin'],
  },
  {
    path: 'staff-observation/staff-observation-list',
    title: text`Staff Observation`,
    reads: 'GET /observation-visit',
    roles: ['Admin', 'Staff'],
    sets: ['principal', 'headOfDepartment'],
    search: ['tab', 'part'],
  },
  {
    path: 'staff-observation/staff-observation-list/$visitID',
    title: text`Visit`,
    reads: 'GET /observation-visit/:id',
  },
  {
    path: 'staff-observation/own-observation',
    title: text`Observations of my lessons`,
    reads: 'GET /observation-visit/own',
  },
] as const satisfies readonly Page[];
