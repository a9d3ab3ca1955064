import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const approvalPages = [
  {
    path: 'approval/inbox',
    title: text`Approvals`,
    reads: 'GET /approval',
    isReadAhead: true,
    roles: ['Staff'],
    search: ['tab'],
  },
] as const satisfies readonly Page[];
