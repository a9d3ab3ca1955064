import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { dateMonths, isLanguage, type Language, languageKeys } from '#kit/contract/languages.ts';
import { otherMonths } from '#kit/contract/months.ts';
import { activate, addCatalogue, currentLanguage } from './text.ts';
import { keepChoice, readChoice } from './ui/device-choice.ts';

// Assigned here: builds leave out what a module of a contract only does.
Object.assign(dateMonths, otherMonths);

type Messages = Record<string, unknown>;

/** A language's words: those of the page's own macros, and patterns of the texts of contracts by `keyOf`. */
export interface Words {
  messages: Messages;
  texts?: Readonly<Record<string, string>>;
}

/**
 * The words of a page or of a part of it: English comes with it, another language is fetched when it is wanted, and one that
 * has no file is English here.
 */
type Catalogues = { en: Messages } & Partial<Record<Exclude<Language, 'en'>, () => Promise<Words>>>;

const parts: { catalogues: Catalogues; fetched: Set<Language> }[] = [];
const ofEach = <Part,>() => Object.fromEntries(languageKeys.map((key) => [key, {}])) as Record<Language, Part>;
const translated = ofEach<Messages>();
const patterns = ofEach<Record<string, string>>();

/** The files that a pattern finds, by the language that each is named after: `form-gu.ts`, `gu.po`. */
export const byLanguage = <File,>(files: Record<string, File>): Partial<Record<Language, File>> =>
  Object.fromEntries(
    Object.entries(files).map(([path, file]) => [/[a-z]{2,3}(?=\.[a-z]{2,4}$)/.exec(path)?.[0], file]),
  );

/** Adds what a page shows, with its module; `withWords` waits for the reader's language. */
export function addWords(catalogues: Catalogues) {
  parts.push({ catalogues, fetched: new Set(['en']) });
  // What is not translated, or not here yet, is shown in English.
  for (const language of languageKeys) addCatalogue(language, { ...catalogues.en, ...translated[language] });
}

const lacking = (language: Language) => parts.filter(({ fetched }) => !fetched.has(language));

const fetchWords = (language: Language) =>
  Promise.all(
    lacking(language).map(async ({ catalogues, fetched }) => {
      if (language === 'en') return;
      const words = await catalogues[language]?.();
      addCatalogue(language, Object.assign(translated[language], words?.messages));
      Object.assign(patterns[language], words?.texts);
      fetched.add(language);
    }),
  );

/** A module that is loaded later, once its words are here in the reader's language. */
export async function withWords<Module>(module: Promise<Module>): Promise<Module> {
  const loaded = await module;
  // The reader may choose another language in the meantime.
  for (let language = currentLanguage(); lacking(language).length > 0; language = currentLanguage()) {
    await fetchWords(language);
    if (language === currentLanguage()) activate(language, patterns[language]);
  }
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
    // A module that is loaded in the meantime adds words.
    while (lacking(language).length > 0) await fetchWords(language);
  } catch {
    return mine !== turn;
  }
  if (mine === turn) activate(language, patterns[language]);
  return true;
}

const name = 'language';

/** Keeps a reader's choice on this device; the server reads the cookie too. The address no longer asks for another one. */
export function keepLanguage(language: Language) {
  keepChoice(name, language);
  const { pathname, hash } = window.location;
  if (askedLanguage()) window.history.replaceState(window.history.state, '', `${pathname}${searchShown()}${hash}`);
}

/** The language that the address asks for: the reader tapped it before the page's script had loaded. */
export function askedLanguage(): Language | undefined {
  const asked = new URLSearchParams(window.location.search).get('lang');
  return isLanguage(asked) ? asked : undefined;
}

/** The query of the address without the language, which is no part of what is shown. */
export function searchShown(): string {
  const query = new URLSearchParams(window.location.search);
  query.delete('lang');
  return query.size > 0 ? `?${query}` : '';
}

/** The one of these languages that the reader chose, by the address or earlier on this device; undefined before a choice. */
export const chosenLanguage = (offered: readonly Language[]): Language | undefined =>
  [askedLanguage(), readChoice(name)].find((one) => isLanguage(one) && offered.includes(one)) as Language | undefined;

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
