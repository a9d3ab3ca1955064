import { admin, signedIn } from '#access/contract/grants.ts';
import type { Page } from '#kit/contract/page.ts';
import { runOperations } from '#kit/contract/run.ts';
import { text } from '#kit/contract/text.ts';

export const runApi = runOperations(signedIn, [admin()]);

export const runPages = [
  { path: 'run', title: text`Runs`, reads: 'GET /run', roles: ['Admin'] },
] as const satisfies readonly Page[];
