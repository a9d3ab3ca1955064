import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import { FamilyPage } from '#features/family/pages/FamilyPage.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { completeConfiguration } from '#features/school/ui/configuration.ts';
import { activateCatalogue } from '#kit/browser/text.ts';
import { messages } from './locales/family/en.po';

activateCatalogue('en', messages);

/** What features show beside attendance and bus, in the order of their folders. */
const parts = Object.values(
  import.meta.glob<FamilyPartView<never>>('./features/*/ui/FamilyPart.tsx', { eager: true, import: 'familyPart' }),
);

async function start(root: HTMLElement) {
  await completeConfiguration();
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <FamilyPage parts={parts} />
    </I18nProvider>,
  );
}

const root = document.getElementById('root');
if (root) void start(root);
