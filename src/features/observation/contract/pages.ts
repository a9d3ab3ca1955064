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
    acts: [{ key: 'add', title: text`Add observation`, alsoNamed: text`note on a student behaviour` }],
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
] as const satisfies readonly Page[];
