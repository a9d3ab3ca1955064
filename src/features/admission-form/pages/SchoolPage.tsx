import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import { configuration, schoolWords } from '#features/school/ui/configuration.ts';
import { summarySlotId } from '#kit/browser/form/form-problems.tsx';
import { useLanguage } from '#kit/browser/language.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { SchoolPhone } from './SchoolPhone.tsx';

/** Leaves the address without "#content", since its hash names the field to correct. */
function skip(event: { preventDefault: () => void }) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** On later pages of a visit, moves the focus to the heading, for screen readers and for Tab. */
let isFirst = true;

/** A page with the school's header and its help line. */
export function SchoolPage({ title, children }: { title: string; children: ReactNode }) {
  // Before the list of errors puts its word in front of the title, also in another language.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    const heading = document.querySelector('h1');
    if (heading && !isFirst) heading.focus({ preventScroll: true });
    if (heading) isFirst = false;
  }, []);
  const language = useLanguage();
  const { schoolName, schoolCity, schoolPhone, logoPath, needsTls, unread } = configuration();
  const { officeHours } = schoolWords(language);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it does lead to a part of this page; only the address stays as it is. */}
      <a className="skip" href="#content" onClick={skip}>
        <Trans>Skip to content</Trans>
      </a>
      <header className="school-head">
        <div>
          {logoPath ? (
            <img className="crest" src={logoPath} alt="" width={36} height={36} />
          ) : (
            <span className="crest" aria-hidden>
              {schoolName.slice(0, 1)}
            </span>
          )}
          <p className="school-name">
            <b>{schoolName}</b>
            {schoolCity && <span>{schoolCity}</span>}
          </p>
          <LanguageChoice />
          {schoolPhone && <SchoolPhone className="school-phone" />}
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {needsTls && (
          <Notice role="note">
            <Trans>This page is not secure (no https). Please do not enter anything here, and tell the school.</Trans>
          </Notice>
        )}
        <div id={summarySlotId} />
        {children}
        {schoolPhone && (
          <p className="help">
            <Trans>
              Need help? Call <SchoolPhone />, {officeHours}.
            </Trans>
          </p>
        )}
        {unread.form.includes(language) && (
          <p className="help">
            {schoolPhone ? (
              <Trans>
                This page was translated by computer. Anything unclear? Switch to English or call <SchoolPhone />.
              </Trans>
            ) : (
              <Trans>This page was translated by computer. Anything unclear? Switch to English.</Trans>
            )}
          </p>
        )}
      </main>
    </>
  );
}
