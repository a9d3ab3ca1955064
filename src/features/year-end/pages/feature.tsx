import { browserFeature } from '#kit/browser/feature.ts';
import { yearEndPages } from '../contract/pages.ts';

export const yearEnd = browserFeature(yearEndPages, { 'academic/year-end': () => import('./YearEndPage.tsx') });
