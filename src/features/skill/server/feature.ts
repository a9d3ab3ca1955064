import { serverFeature } from '#kit/server/feature.ts';
import { skillMasters } from '../contract/masters.ts';
import { skillPages } from '../contract/pages.ts';
import skillRoutes from './skill.ts';

export const skill = serverFeature({
  pages: skillPages,
  routes: skillRoutes,
  masters: skillMasters,
  seed: () => import('../seed.ts'),
});
