import { browserFeature } from '#kit/browser/feature.ts';
import { schoolPages } from '../contract/pages.ts';

export const school = browserFeature(schoolPages, {
  'academic/organizational-master': () => import('./OrganizationalMasterPage.tsx'),
});
