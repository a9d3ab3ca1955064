import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const staffPages = [
  {
    path: 'staff/view-staff/$userID',
    title: text`Profile`,
    reads: 'GET /staff/:id/record',
    isReadAhead: true,
    search: ['part'],
  },
  {
    path: 'staff/staff-list',
    isOffered: true,
    records: 'staff/view-staff',
    title: text`Staff List`,
    reads: 'GET /staff',
    isReadAhead: true,
    sets: ['hr', 'principal', 'office', 'accountant'],
    search: ['tab', 'search', 'act'],
  },
] as const satisfies readonly Page[];
