import { browserFeature } from '#kit/browser/feature.ts';
import { homeworkPages } from '../contract/pages.ts';

export const homework = browserFeature(homeworkPages, {
  'homework/homework-list': () => import('./HomeworkListPage.tsx'),
  'homework/homework-list/$homeworkID': () => import('./HomeworkPage.tsx'),
  'homework/homework-list/missing/$studentID': () => import('./MissingChildPage.tsx'),
});
