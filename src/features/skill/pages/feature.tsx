import { browserFeature } from '#kit/browser/feature.ts';
import { skillPages } from '../contract/pages.ts';

export const skill = browserFeature(skillPages, {
  'configuration/skill-master': () => import('./SkillMasterPage.tsx'),
});
