import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const clubPages = [
  { path: 'club/club-list', title: text`Planted Club List`, reads: 'GET /club-count' },
  {
    path: 'club/meeting-list',
    title: text`Planted Meeting List`,
    reads: 'GET /club-meeting',
    sets: ['office'],
    acts: [{ key: 'join', title: text`Join a planted club`, asks: 'student' }],
    within: ['student/student-list', 'report/student-report'],
  },
] as const satisfies readonly Page[];
