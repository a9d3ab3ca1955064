import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { type FormPath, formPaths } from '../contract/pages.ts';
import { load, Page } from './BasicInfoPage.tsx';
import { FailurePage } from './FailurePage.tsx';
import { getInquiry } from './inquiry-state.ts';
import { isPathOpen } from './open-steps.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import type { Search } from './way-back.ts';

/** The first page comes with the form; each other page is loaded when it is opened. */
const pages = {
  '/admission': async () => ({ load, Page }),
  '/admission1': () => import('./ParentInfoPage.tsx'),
  '/admission2': () => import('./HealthPage.tsx'),
  '/admission3': () => import('./AdditionalInfoPage.tsx'),
  '/admission4': () => import('./SubmitPage.tsx'),
} satisfies Record<FormPath, unknown>;

const first: FormPath = '/admission';
const last: FormPath = '/admission4';

const root = createRootRoute({
  validateSearch: ({ inquiryNo, return: back }: Record<string, unknown>): Search => ({
    ...(typeof inquiryNo === 'string' && { inquiryNo }),
    ...(back === 'check' && { return: 'check' }),
  }),
  search: { middlewares: [retainSearchParams(['inquiryNo'])] },
  beforeLoad: async ({ location }) => {
    // Loads the page's code while the server is asked whether the form is still open.
    void pages[location.pathname as FormPath]?.();
    const inquiry = await getInquiry();
    if (inquiry.isFormSubmitted && location.pathname !== last) throw redirect({ to: last, search: true });
    if (inquiry.isFormSubmitted) return;
    if (inquiry.isConsentRequired) {
      if (location.pathname !== first) throw redirect({ to: first, search: true });
      return;
    }
    const isStep = formPaths.includes(location.pathname as FormPath);
    if (isStep && !isPathOpen(inquiry.correction, location.pathname)) throw redirect({ to: last, search: true });
    // Loaded before the page is drawn, so that the page does not move below the reader.
    if (inquiry.correction) await import('./CorrectionNotice.tsx');
  },
  component: Outlet,
  errorComponent: FailurePage,
  pendingComponent: PageSkeleton,
  notFoundComponent: () => {
    window.location.replace('/login');
    return null;
  },
});

const children = formPaths.map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    loader: async () => (await pages[path]()).load(),
    // Always the stored answers: a page is read again each time it is opened.
    staleTime: 0,
    gcTime: 0,
    component: lazyRouteComponent(async () => ({ default: (await pages[path]()).Page })),
    errorComponent: FailurePage,
    pendingComponent: PageSkeleton,
    pendingMs: 200,
  }),
);

export const formRoutes = root.addChildren(children);
