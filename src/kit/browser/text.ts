import { i18n } from '@lingui/core';
import { format, isText, showNumber, type Text } from '#kit/contract/text.ts';

/** A text of a contract, the server or a page in the reader's language. English where no catalogue has it. */
export function translate(text: Text): string {
  const { id, values = {} } = text;
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isText(value) ? translate(value) : value]),
  );
  if (id in i18n.messages) return i18n._(id, shown);
  return format(text.message ?? id, shown, (value) => (typeof value === 'number' ? showNumber(value) : String(value)));
}

/** A word of a fixed list (`options` in a contract) in the reader's language. */
export const translateOption = (word: string): string => (word in i18n.messages ? i18n._(word) : word);

/** Adds the catalogue of a page that is fetched later to those of its language. */
export const addCatalogue = (locale: string, messages: Record<string, unknown>) =>
  i18n.load(locale, messages as Parameters<typeof i18n.load>[1]);

/** Activates a language's catalogue. English is the only one so far, and is loaded like any other. */
export function activateCatalogue(locale: string, messages: Record<string, unknown>) {
  addCatalogue(locale, messages);
  i18n.activate(locale);
  // The server has no document; its HTML declares the language itself.
  const { document } = globalThis as { document?: { documentElement: { lang: string } } };
  if (document) document.documentElement.lang = locale;
}
