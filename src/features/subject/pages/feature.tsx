import { browserFeature } from '#kit/browser/feature.ts';
import { subjectPages } from '../contract/pages.ts';

export const subject = browserFeature(subjectPages, {
  'configuration/subject': () => import('./SubjectMasterPage.tsx'),
});
