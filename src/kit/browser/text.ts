import { i18n } from '@lingui/core';
import { isLanguage, type Language } from '#kit/contract/languages.ts';
import { english, format, showIn, type Text } from '#kit/contract/text.ts';
import { keyOf } from '#kit/contract/text-key.ts';

/** The reader's language. */
export const currentLanguage = (): Language => (isLanguage(i18n.locale) ? i18n.locale : 'en');

/** The patterns of texts of contracts in the reader's language, by `keyOf`; in English the words are the keys. */
let patterns: Readonly<Record<string, string>> = {};

/** A text of a contract, the server or a page in the reader's language. English where no catalogue has it. */
export function translate(text: Text): string {
  const { id, message = id, values = {}, words } = text;
  const language = currentLanguage();
  const show = showIn(language, translate);
  if (id in i18n.messages) {
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : show(value),
    ]);
    return i18n._(id, Object.fromEntries(shown));
  }
  const pattern = language === 'en' ? undefined : (words?.[language] ?? patterns[keyOf(id)]);
  if (pattern === undefined && language !== 'en') return english(text);
  return format(pattern ?? message, values, show, language);
}

/** A word of a fixed list (`options` in a contract) in the reader's language. */
export const translateOption = (word: string): string =>
  word in i18n.messages ? i18n._(word) : (patterns[keyOf(word)] ?? word);

/** Adds the catalogue of a page that is fetched later to those of its language. */
export const addCatalogue = (locale: string, messages: Record<string, unknown>) =>
  i18n.load(locale, messages as Parameters<typeof i18n.load>[1]);

/** Activates a language whose catalogues were added, with the patterns of the texts of contracts. Numbers are grouped as in India. */
export function activate(locale: string, texts: Readonly<Record<string, string>> = {}) {
  patterns = texts;
  i18n.activate(locale, [`${locale}-IN`]);
  // The server has no document; its HTML declares the language itself.
  const { document } = globalThis as { document?: { documentElement: { lang: string } } };
  if (document) document.documentElement.lang = locale;
}

/** Adds a language's catalogue and activates it. */
export function activateCatalogue(locale: string, messages: Record<string, unknown>) {
  addCatalogue(locale, messages);
  activate(locale);
}
