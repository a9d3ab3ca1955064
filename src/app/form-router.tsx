import { createRouter } from '@tanstack/react-router';
import type { FormPath, formSearch } from '#features/admission-form/contract/pages.ts';
import { formRoutes } from '#features/admission-form/pages/routes.tsx';
import { searchText } from '#kit/browser/ui/search-text.ts';

export const formRouter = createRouter({
  routeTree: formRoutes,
  scrollRestoration: true,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  ...searchText,
});

declare module '#kit/browser/ui/PageLink.tsx' {
  interface LinkedPages {
    form: { [Path in FormPath]: { path: Path; search: typeof formSearch } }[FormPath];
  }
}
