import { serverFeature } from '#kit/server/feature.ts';
import { clubMaster } from '../contract/masters.ts';
import { clubPages } from '../contract/pages.ts';
import clubRoutes from './club.ts';

export const club = serverFeature({
  pages: clubPages,
  routes: clubRoutes,
  masters: [clubMaster],
  seed: () => import('../seed.ts'),
});
