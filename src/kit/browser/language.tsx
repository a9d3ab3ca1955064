import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { isLanguage, type Language } from '#kit/contract/languages.ts';
import '#kit/contract/months.ts';
import { activate, addCatalogue, currentLanguage } from './text.ts';
import { keepChoice, readChoice } from './ui/device-choice.ts';

type Messages = Record<string, unknown>;

/** A language's words: those of the page's own macros, and patterns of the texts of contracts by `keyOf`. */
export interface Words {
  messages: Messages;
  texts?: Readonly<Record<string, string>>;
}

/** The words of a page or of a part of it: English comes with it, another language is fetched when it is wanted. */
type Catalogues = { en: Messages } & Record<Exclude<Language, 'en'>, () => Promise<Words>>;

const parts: { catalogues: Catalogues; fetched: Set<Language> }[] = [];
const patterns: Record<Language, Record<string, string>> = { en: {}, gu: {}, hi: {} };

/** Adds what a page shows, with its module; `withWords` waits for the reader's language. */
export function addWords(catalogues: Catalogues) {
  parts.push({ catalogues, fetched: new Set(['en']) });
  addCatalogue('en', catalogues.en);
}

async function fetchWords(language: Language) {
  const lacking = language === 'en' ? [] : parts.filter(({ fetched }) => !fetched.has(language));
  await Promise.all(
    lacking.map(async ({ catalogues, fetched }) => {
      if (language === 'en') return;
      const { messages, texts } = await catalogues[language]();
      // What is not translated is shown in English.
      addCatalogue(language, { ...catalogues.en, ...messages });
      Object.assign(patterns[language], texts);
      fetched.add(language);
    }),
  );
  return lacking.length > 0;
}

/** A module that is loaded later, once its words are here in the reader's language. */
export async function withWords<Module>(module: Promise<Module>): Promise<Module> {
  const loaded = await module;
  const language = currentLanguage();
  if ((await fetchWords(language)) && language === currentLanguage()) activate(language, patterns[language]);
  return loaded;
}

let turn = 0;

/**
 * Shows the pages in a language: its words are fetched first, so that a fault leaves everything as it was. Of two at once
 * the later one counts. Returns whether this one was shown or was not wanted any more.
 */
export async function speak(language: Language): Promise<boolean> {
  turn += 1;
  const mine = turn;
  try {
    await fetchWords(language);
  } catch {
    return mine !== turn;
  }
  if (mine === turn) activate(language, patterns[language]);
  return true;
}

const name = 'language';

/** Keeps a reader's choice on this device; the server reads the cookie too. */
export const keepLanguage = (language: Language) => keepChoice(name, language);

/** The language that the reader chose, by the address or earlier on this device; undefined before a choice. */
export function chosenLanguage(): Language | undefined {
  const asked = new URLSearchParams(window.location.search).get('lang');
  return [asked, readChoice(name)].find(isLanguage);
}

/** The language in which the server wrote this page. */
export const servedLanguage = (): Language => {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : 'en';
};

const watch = (listener: () => void) => i18n.on('change', listener);

/** The reader's language, for a component that depends on it. */
export const useLanguage = () => useSyncExternalStore(watch, currentLanguage, currentLanguage);

/** Draws a page, and again in each other language: components keep their state, so nothing typed is lost. */
export function InLanguage({ draw }: { draw: () => ReactNode }) {
  useLanguage();
  return <I18nProvider i18n={i18n}>{draw()}</I18nProvider>;
}
