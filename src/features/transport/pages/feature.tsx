import { browserFeature } from '#kit/browser/feature.ts';
import { transportPages } from '../contract/pages.ts';

export const transport = browserFeature(transportPages, {
  'transport/': () => import('./TransportMasterPage.tsx'),
  'transport/time-slot': () => import('./TimeSlotPage.tsx'),
  'transport/vehicle': () => import('./VehiclePage.tsx'),
  'transport/route': () => import('./RouteListPage.tsx'),
  'transport/route/$routeID': () => import('./RoutePage.tsx'),
});
