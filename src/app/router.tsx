import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { getMe, hasSignedIn, isSignedOut } from '#features/sign-in/pages/session.ts';
import type { LoadedPage } from '#kit/browser/feature.ts';
import { searchText } from '#kit/browser/ui/search-text.ts';
import { AppError, awayMessage } from '#kit/contract/errors.ts';
import { features } from './features.browser.tsx';

/**
 * For code that could not be fetched. Without an answer the page says so; where the server answers and the file is
 * gone, as after an update, the router reloads the page.
 */
async function orAway(error: unknown): Promise<never> {
  const isThere = await fetch('/healthz').then(
    () => true,
    () => false,
  );
  throw isThere ? error : new AppError('unavailable', awayMessage);
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => {
    throw redirect({ to: '/login' });
  },
});
/**
 * Whether a page itself says that the user must sign in: the staff's admission pages do, and are open to visitors
 * (S132).
 */
const saysItself = (pathname: string) => /^\/school-erp\/admission(\/|$)/.test(pathname);

const shell = createRoute({
  getParentRoute: () => root,
  path: '/school-erp',
  // The guard. The server decides what a user may see, at every call of every page.
  beforeLoad: async ({ location }) => {
    if (saysItself(location.pathname) && !hasSignedIn()) return { me: undefined };
    try {
      return { me: await getMe() };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      if (saysItself(location.pathname)) return { me: undefined };
      throw redirect({ to: '/login' });
    }
  },
  component: lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'ShellRoute'),
  errorComponent: lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'AwayPage'),
});
/** Replaces a page of the shell that cannot be shown; the shell around it stays. */
const errorComponent = lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'ProblemPage');
const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/school-erp/dashboard', replace: true });
  },
});
const dashboard = createRoute({
  getParentRoute: () => shell,
  path: 'dashboard',
  component: lazyRouteComponent(() => import('./shell/DashboardRoute.tsx').catch(orAway), 'DashboardRoute'),
  errorComponent,
});
const componentOf = ({ load }: LoadedPage) =>
  lazyRouteComponent(() => load().then((Component) => ({ default: Component }), orAway));
const [outsidePages, insidePages] = [true, false].map((isOutside) =>
  features.flatMap(({ pages }) => pages.filter(({ path }) => path.startsWith('/') === isOutside)),
) as [LoadedPage[], LoadedPage[]];
const outside = outsidePages.map((page) =>
  createRoute({ getParentRoute: () => root, path: page.path, component: componentOf(page) }),
);
const inside = insidePages.map((page) =>
  createRoute({ getParentRoute: () => shell, path: page.path, component: componentOf(page), errorComponent }),
);
const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: lazyRouteComponent(() => import('./shell/NotFoundPage.tsx').catch(orAway), 'NotFoundPage'),
  errorComponent,
});

export const router = createRouter({
  routeTree: root.addChildren([...outside, shell.addChildren([start, dashboard, ...inside, notFound])]),
  defaultPendingMs: 200,
  trailingSlash: 'preserve',
  ...searchText,
});
