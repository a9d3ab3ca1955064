import { browserFeature } from '#kit/browser/feature.ts';
import { academicPages } from '../contract/pages.ts';

export const academic = browserFeature(academicPages, {
  'academic/academic-master': () => import('./AcademicMasterPage.tsx'),
});
