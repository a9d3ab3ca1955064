import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import '#kit/browser/form/form.css';
import { FormPages } from '#features/admission-form/pages/FormPages.tsx';
import { opensNothing } from '#features/admission-form/pages/inquiry-state.ts';
import { completeConfiguration } from '#features/school/ui/configuration.ts';
import { activateCatalogue } from '#kit/browser/text.ts';
import { keepFocusInSight } from '#kit/browser/ui/focus.ts';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import { formRouter } from './app/form-router.tsx';
import { messages } from './locales/form/en.po';

activateCatalogue('en', messages);
keepFocusInSight();

/** In a function: later pages import this script, so a top-level await would never finish. */
async function start(root: HTMLElement) {
  await completeConfiguration();
  // The server's HTML stays until the page is complete; an empty root shows a skeleton until then.
  const isDrawn = root.hasChildNodes();
  const [isDead] = isDrawn ? await Promise.all([opensNothing(), formRouter.load()]) : [false];
  const Dead = isDead && (await import('#features/admission-form/pages/LinkProblemPage.tsx')).LinkProblemPage;
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <ToastProvider isAtTop>{Dead ? <Dead /> : <FormPages router={formRouter} />}</ToastProvider>
    </I18nProvider>,
  );
}

const root = document.getElementById('root');
if (root) void start(root);
