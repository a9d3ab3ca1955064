// The gallery of the kit at /dev/kit, for tests and development (decision 0056). Nothing else loads it.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import '#kit/browser/form/form.css';
import '#kit/browser/ui/buttons.css';
import '#kit/browser/ui/dark.css';
import { queryClient } from '#kit/browser/data/read.ts';
import { answerForServer } from '#kit/browser/gallery/answers.ts';
import { readAddress, showInAddress } from '#kit/browser/gallery/colours.ts';
import { Gallery } from '#kit/browser/gallery/Gallery.tsx';
import { activateCatalogue } from '#kit/browser/text.ts';
import type { Colours } from '#kit/browser/ui/colours.ts';
import { RouterLinks } from '#kit/browser/ui/RouterLinks.tsx';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import './app/shell/mantine-styles.ts';
import { messages } from './locales/shell/en.po';
import './app/shell/shell.css';
import './features/sign-in/pages/sign-in.css';

activateCatalogue('en', messages);
answerForServer();

// Links need a router for their address; navigation leaves the gallery unchanged.
const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory({ initialEntries: ['/login?tab=first'] }),
});

function Kit() {
  const [colours, setColours] = useState<Colours>(readAddress);
  useEffect(() => showInAddress(colours), [colours]);
  return (
    <I18nProvider i18n={i18n}>
      <ToastProvider>
        <RouterContextProvider router={router}>
          <RouterLinks>
            <QueryClientProvider client={queryClient}>
              <Gallery colours={colours} onColours={setColours} />
            </QueryClientProvider>
          </RouterLinks>
        </RouterContextProvider>
      </ToastProvider>
    </I18nProvider>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Kit />);
