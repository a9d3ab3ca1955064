import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { queryClient } from '#kit/browser/data/read.ts';
import { RouterLinks } from '#kit/browser/ui/RouterLinks.tsx';
import { searchText } from '#kit/browser/ui/search-text.ts';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';

/** Renders a page of the shell at an address, without the shell. Returns the router, which tells where a link led. */
export function renderPage(
  page: ReactNode,
  address = '/page',
  history = createMemoryHistory({ initialEntries: [address] }),
) {
  const root = createRootRoute({ component: () => page });
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '$' })]),
    history,
    ...searchText,
  });
  render(
    <I18nProvider i18n={i18n}>
      <ToastProvider>
        <QueryClientProvider client={queryClient}>
          <RouterLinks>
            <RouterProvider router={router} />
          </RouterLinks>
        </QueryClientProvider>
      </ToastProvider>
    </I18nProvider>,
  );
  return router;
}
