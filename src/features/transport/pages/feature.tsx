import { browserFeature, loadedCard } from '#kit/browser/feature.ts';
import { staffRideCard } from '../contract/cards.ts';
import { transportPages } from '../contract/pages.ts';

export const transport = browserFeature(
  transportPages,
  {
    'transport/': () => import('./TransportMasterPage.tsx'),
    'transport/paper': () => import('./PaperPage.tsx'),
    'transport/wait': () => import('./WaitPage.tsx'),
    'transport/today': () => import('./TodayPage.tsx'),
    'transport/time-slot': () => import('./TimeSlotPage.tsx'),
    'transport/vehicle': () => import('./VehiclePage.tsx'),
    'transport/route': () => import('./RouteListPage.tsx'),
    'transport/route/$routeID': () => import('./RoutePage.tsx'),
    'transport/staff-stop-change': () => import('./StaffStopChangePage.tsx'),
    'transport/student-stop-change': () => import('./StudentStopChangePage.tsx'),
  },
  { cards: [loadedCard(staffRideCard, async () => (await import('./StaffRideCard.tsx')).StaffRideCard)] },
);
