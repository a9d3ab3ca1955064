import { browserFeature } from '#kit/browser/feature.ts';
import { auditPages } from '../contract/pages.ts';

export const auditLog = browserFeature(auditPages, {
  audit: () => import('./AuditPage.tsx'),
});
