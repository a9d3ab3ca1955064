// The server renders these into the HTML of /admission and of the shell, so that they are readable before any script has
// loaded. The build makes a separate module for Node; the browser never loads it.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FirstPaint } from '#features/admission-form/pages/FirstPaint.tsx';
import { configure } from '#features/school/ui/configuration.ts';
import { byLanguage, type Words } from '#kit/browser/language.tsx';
import { activate, activateCatalogue, addCatalogue } from '#kit/browser/text.ts';
import { LinkingContext } from '#kit/browser/ui/linking.ts';
import type { Language } from '#kit/contract/languages.ts';
import { FirstPaint as ShellFirstPaint } from './app/shell/FirstPaint.tsx';
import { messages } from './locales/form/en.po';

activateCatalogue('en', messages);
const words = byLanguage(import.meta.glob<Words>('./words/form-*.ts', { eager: true }));
for (const [language, { messages: own }] of Object.entries(words)) addCatalogue(language, { ...messages, ...own });

/** Links that the script replaces: of the other steps, which without the family's inquiryNo would open nothing. */
const linking = {
  Link: ({ to: _, search: __, ...rest }: { to?: string; search?: object }) => <a {...rest} />,
  useNavigate: () => undefined,
  useLocation: () => ({ pathname: '/admission' }),
};

/** The first page's static part for a school, as HTML. */
export function drawFirstPaint(configuration: object, language: Language): string {
  configure(configuration);
  activate(language, words[language]?.texts);
  try {
    return renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <LinkingContext value={linking}>
          <FirstPaint />
        </LinkingContext>
      </I18nProvider>,
    );
  } finally {
    activate('en');
  }
}

/** The frame of the shell with the title of a page, as HTML. */
export function drawShell(configuration: object, title: string): string {
  configure(configuration);
  return renderToStaticMarkup(<ShellFirstPaint title={title} />);
}
