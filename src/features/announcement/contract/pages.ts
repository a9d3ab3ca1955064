import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const announcementPages = [
  {
    path: 'announcement/announcement-list',
    title: text`Announcement`,
    reads: 'GET /announcement/feed',
    search: ['part', 'tab', 'show', 'act'],
    acts: [
      {
        key: 'add',
        title: text`Write an announcement`,
        alsoNamed: text`notice circular message families staff`,
        roles: ['Staff'],
        sets: ['office', 'principal', 'classTeacher'],
      },
    ],
  },
  {
    path: 'announcement/announcement-list/$announcementID',
    title: text`Announcement`,
    reads: 'GET /announcement/:id',
    search: ['part', 'show', 'act'],
  },
] as const satisfies readonly Page[];
