import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { keepLanguage, speak, useLanguage } from '#kit/browser/language.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Language, languages } from '#kit/contract/languages.ts';
import { useConfiguration } from './configuration.ts';
import styles from './LanguageSwitch.module.css';

/** The address of this page in a language. The server draws it without the family's link, and adds that itself. */
function addressIn(language: Language) {
  const { window } = globalThis as { window?: Window };
  const query = new URLSearchParams(window?.location.search);
  query.set('lang', language);
  return `?${query}`;
}

interface Props {
  /** Keeps the choice with the reader's record too. */
  onChosen?: (language: Language) => void;
}

/** The languages of the page, each in its own words. A click changes words only: what is typed is kept. */
export function LanguageSwitch({ onChosen }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const current = useLanguage();
  const [wanted, setWanted] = useState<Language>();
  const offered = useConfiguration().languages;
  if (offered.length < 2) return null;
  const choose = async (language: Language) => {
    setWanted(language);
    const isShown = await speak(language);
    setWanted((now) => (now === language ? undefined : now));
    if (!isShown) {
      const name = languages[language].name;
      return toast({ kind: 'warning', title: t`Couldn’t load ${name}. Try again.` });
    }
    keepLanguage(language);
    onChosen?.(language);
  };
  return (
    <nav className={styles.languages} aria-label={t`Language`} aria-busy={wanted !== undefined}>
      {offered.map((language) => (
        <a
          key={language}
          href={addressIn(language)}
          lang={language}
          hrefLang={language}
          aria-current={language === current ? 'true' : undefined}
          // The page's address has the family's link, which no other site gets.
          referrerPolicy="same-origin"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            void choose(language);
          }}
        >
          {languages[language].name}
        </a>
      ))}
    </nav>
  );
}
