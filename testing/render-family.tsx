import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';

/** Draws a part of the page of a guardian's link as `src/family.tsx` does, which has no router. */
export const renderFamily = (part: ReactNode) =>
  render(
    <I18nProvider i18n={i18n}>
      <ToastProvider>{part}</ToastProvider>
    </I18nProvider>,
  );
