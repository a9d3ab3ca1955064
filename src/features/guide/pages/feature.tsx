import { browserFeature } from '#kit/browser/feature.ts';
import { guidePages } from '../contract/pages.ts';

export const guide = browserFeature(guidePages, { help: () => import('./HelpPage.tsx') });
