import { browserFeature } from '#kit/browser/feature.ts';
import { observationPages } from '../contract/pages.ts';

export const observation = browserFeature(observationPages, {
  'student-observation/student-observation-list': () => import('./StudentObservationPage.tsx'),
  'student-observation/student-observation-list/$noteID': () => import('./NotePage.tsx'),
  'observation/observation-master': () => import('./ObservationMasterPage.tsx'),
  'observation/rubric/$rubricID': () => import('./RubricPage.tsx'),
  'staff-observation/staff-observation-list': () => import('./StaffObservationPage.tsx'),
  'staff-observation/staff-observation-list/$visitID': () => import('./VisitPage.tsx'),
  'staff-observation/own-observation': () => import('./OwnObservationPage.tsx'),
});
