// The server renders these into the HTML of /admission and of the shell, so that they are readable before any script has
// loaded. The build makes a separate module for Node; the browser never loads it.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { FirstPaint } from '#features/admission-form/pages/FirstPaint.tsx';
import { configure } from '#features/school/ui/configuration.ts';
import { activateCatalogue } from '#kit/browser/text.ts';
import { FirstPaint as ShellFirstPaint } from './app/shell/FirstPaint.tsx';
import { messages } from './locales/form/en.po';

activateCatalogue('en', messages);

// Links need a router for their address; nothing else of it is used.
const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory({ initialEntries: ['/admission'] }),
});

/** The first page's static part for a school, as HTML. */
export function drawFirstPaint(configuration: object): string {
  configure(configuration);
  const html = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <RouterContextProvider router={router}>
        <FirstPaint />
      </RouterContextProvider>
    </I18nProvider>,
  );
  // The other steps become links with the script: without the family's inquiryNo they would open nothing.
  return html.replace(/ href="\/admission[0-9]"/g, '');
}

/** The frame of the shell with the title of a page, as HTML. */
export function drawShell(configuration: object, title: string): string {
  configure(configuration);
  return renderToStaticMarkup(<ShellFirstPaint title={title} />);
}
