import { browserFeature } from '#kit/browser/feature.ts';
import { systemPages } from '../contract/pages.ts';

export const system = browserFeature(systemPages, { system: () => import('./SystemPage.tsx') });
