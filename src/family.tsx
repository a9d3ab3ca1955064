import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import { FamilyPage } from '#features/family/pages/FamilyPage.tsx';
import { completeConfiguration } from '#features/school/ui/configuration.ts';
import { activateCatalogue } from '#kit/browser/text.ts';
import { familyParts } from './family-parts.ts';
import { messages } from './locales/family/en.po';

activateCatalogue('en', messages);

async function start(root: HTMLElement) {
  await completeConfiguration();
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <FamilyPage parts={familyParts} />
    </I18nProvider>,
  );
}

const root = document.getElementById('root');
if (root) void start(root);
