import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { SignInPage } from '#features/sign-in/pages/SignInPage.tsx';

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => {
    throw redirect({ to: '/login' });
  },
});
const signIn = createRoute({ getParentRoute: () => root, path: '/login', component: SignInPage });

/** The router of everything but the parents' form. */
export const router = createRouter({ routeTree: root.addChildren([signIn]) });
