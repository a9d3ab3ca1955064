import { browserFeature } from '#kit/browser/feature.ts';
import { auditPages } from '../contract.ts';

export const auditLog = browserFeature(auditPages, {
  audit: () => import('./AuditPage.tsx'),
});
