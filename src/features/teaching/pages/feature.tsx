import { browserFeature } from '#kit/browser/feature.ts';
import { teachingPages } from '../contract/pages.ts';

export const teaching = browserFeature(teachingPages, {
  'academic/section-teacher-mapping': () => import('./SectionTeacherPage.tsx'),
});
