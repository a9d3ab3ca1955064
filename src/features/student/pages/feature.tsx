import { browserFeature } from '#kit/browser/feature.ts';
import { studentPages } from '../contract/pages.ts';

export const student = browserFeature(studentPages, {
  'student/student-list': () => import('./StudentListPage.tsx'),
  'student/student-list/$studentID': () => import('./StudentPage.tsx'),
  'student/student-list/$studentID/merge': () => import('./MergePage.tsx'),
  'student/student-list/$studentID/guardian/$guardianID/merge': () => import('./GuardianMergePage.tsx'),
  'student/certificate-list': () => import('./CertificateListPage.tsx'),
  'student/result-list': () => import('./ResultListPage.tsx'),
  'academic/section-student-mapping': () => import('./SectionStudentPage.tsx'),
});
