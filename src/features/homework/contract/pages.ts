import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const sets = ['classTeacher', 'subjectTeacher', 'office', 'principal'] as const;

export const homeworkPages = [
  {
    path: 'homework/homework-list',
    title: text`Homework`,
    reads: 'GET /homework',
    roles: ['Staff'],
    sets,
    search: ['part', 'tab', 'sectionId', 'mine', 'unchecked', 'act'],
    acts: [
      {
        key: 'give',
        title: text`Give homework`,
        alsoNamed: text`diary assignment`,
        isDaily: true,
        sets: ['classTeacher', 'subjectTeacher'],
      },
    ],
  },
  {
    path: 'homework/homework-list/$homeworkID',
    title: text`Homework`,
    reads: 'GET /homework/:id',
    roles: ['Staff'],
    sets,
    search: ['part'],
  },
  {
    path: 'homework/homework-list/missing/$studentID',
    title: text`Homework not submitted`,
    reads: 'GET /homework/missing/:id/child',
    roles: ['Staff'],
    sets,
  },
] as const satisfies readonly Page[];
