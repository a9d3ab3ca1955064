import { useRouteContext } from '@tanstack/react-router';
import { DashboardPage } from '#features/dashboard/pages/DashboardPage.tsx';
import { dailyActsOf } from './menu.ts';

/** The dashboard of the signed-in user, loaded when it is opened. */
export function DashboardRoute() {
  const { me } = useRouteContext({ from: '/school-erp' });
  return me && <DashboardPage me={me} acts={dailyActsOf(me)} />;
}
