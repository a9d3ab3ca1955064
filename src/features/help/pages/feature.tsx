import { browserFeature } from '#kit/browser/feature.ts';
import { helpPages } from '../contract/pages.ts';

export const help = browserFeature(helpPages, { help: () => import('./HelpPage.tsx') });
