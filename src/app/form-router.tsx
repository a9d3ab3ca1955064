import { createRouter } from '@tanstack/react-router';
import type { FormPath, formSearch } from '#features/admission-form/contract/pages.ts';
import { formRoutes } from '#features/admission-form/pages/routes.tsx';

/** The parents' router. Search values stay the text they are: a link of digits alone must not become a number. */
export const formRouter = createRouter({
  routeTree: formRoutes,
  scrollRestoration: true,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
});

declare module '#kit/browser/ui/PageLink.tsx' {
  interface LinkedPages {
    form: { [Path in FormPath]: { path: Path; search: typeof formSearch } }[FormPath];
  }
}
