import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const sets = ['office', 'principal', 'classTeacher', 'subjectTeacher'] as const;

export const meetingPages = [
  {
    path: 'meeting/meeting-list',
    title: text`Meetings with parents`,
    reads: 'GET /meeting',
    roles: ['Staff'],
    sets,
    search: ['tab', 'act'],
    acts: [
      {
        key: 'add',
        title: text`New meeting`,
        alsoNamed: text`parent-teacher meeting PTM`,
        sets: ['office', 'principal'],
      },
    ],
  },
  {
    path: 'meeting/meeting-list/$meetingID',
    title: text`Meeting`,
    reads: 'GET /meeting/:id',
    roles: ['Staff'],
    sets,
    search: ['host'],
  },
] as const satisfies readonly Page[];
