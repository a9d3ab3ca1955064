import { browserFeature } from '#kit/browser/feature.ts';
import { runPages } from '../contract.ts';

export const run = browserFeature(runPages, { run: () => import('./RunsPage.tsx') });
