import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import '#kit/browser/theme.css';
import { speak } from '#kit/browser/text.ts';
import { router } from './app/router.tsx';
import { messages } from './locales/en.po';

speak('en', messages);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <RouterProvider router={router} />
    </I18nProvider>,
  );
}
