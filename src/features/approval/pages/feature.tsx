import { browserFeature } from '#kit/browser/feature.ts';
import { approvalPages } from '../contract/pages.ts';

export const approval = browserFeature(approvalPages, { 'approval/inbox': () => import('./InboxPage.tsx') });
