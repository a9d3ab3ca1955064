import { browserFeature } from '#kit/browser/feature.ts';
import { studentPages } from '../contract/pages.ts';

export const student = browserFeature(studentPages, {
  'academic/section-student-mapping': () => import('./SectionStudentPage.tsx'),
});
