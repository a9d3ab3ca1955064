import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const auditPages = [
  { path: 'audit', title: text`Audit log`, reads: 'GET /audit', roles: ['Admin'] },
] as const satisfies readonly Page[];
