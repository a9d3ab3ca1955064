import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import '#kit/browser/form/form.css';
import '#kit/browser/ui/buttons.css';
import '#kit/browser/ui/dark.css';
import './features/sign-in/pages/sign-in.css';
import { completeConfiguration, configuration } from '#features/school/ui/configuration.ts';
import { hasSignedIn } from '#features/sign-in/pages/session.ts';
import { activateCatalogue } from '#kit/browser/text.ts';
import { showChosenColours } from '#kit/browser/ui/colours.ts';
import { RouterLinks } from '#kit/browser/ui/RouterLinks.tsx';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import { nameWindows } from '#kit/browser/ui/window-title.ts';
import { router } from './app/router.tsx';
import { messages } from './locales/shell/en.po';

activateCatalogue('en', messages);
showChosenColours();

/** Loads the code of the page that was opened while the server is asked who is signed in. */
function loadAhead() {
  const routes: Readonly<Record<string, AnyRoute>> = router.routesById;
  const opened = router.matchRoutes(router.latestLocation) as { routeId: string }[];
  for (const { routeId } of hasSignedIn() ? opened : []) {
    const route = routes[routeId];
    // A failure is shown by the router, which loads the same code again.
    if (route) router.loadRouteChunk(route)?.catch(() => undefined);
  }
}

/** In a function, because the build does not merge small scripts with a module that has a top-level await. */
async function start(root: HTMLElement) {
  await completeConfiguration();
  nameWindows(configuration().schoolName);
  // The server's frame stays until the page can replace it.
  if (root.hasChildNodes()) await router.load();
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <ToastProvider>
        <RouterLinks>
          <RouterProvider router={router} />
        </RouterLinks>
      </ToastProvider>
    </I18nProvider>,
  );
}

const root = document.getElementById('root');
if (root) {
  loadAhead();
  void start(root);
}
