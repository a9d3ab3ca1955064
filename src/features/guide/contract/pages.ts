import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const guidePages = [{ path: 'help', title: text`Help`, search: ['page'] }] as const satisfies readonly Page[];
