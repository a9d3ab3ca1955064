import { serverFeature } from '#kit/server/feature.ts';
import { transportMasters } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { dutyRoutes } from './duty.ts';
import { constraintMessages } from './messages.ts';
import { routeListRoutes, routeRoutes } from './route.ts';
import { routePlanRoutes } from './route-plan.ts';

export const transport = serverFeature({
  pages: transportPages,
  routes: [...routeListRoutes, ...routeRoutes, ...routePlanRoutes, ...dutyRoutes],
  masters: transportMasters,
  constraintMessages,
  auditWords,
  seed: () => import('../seed.ts'),
});
