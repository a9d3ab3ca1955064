import { i18n } from '@lingui/core';

/**
 * Text that comes from a contract or from the server, in the reader's language. Its English words are its key, so an
 * answer that no catalogue knows is still readable.
 */
export const translate = (text: string): string => (text in i18n.messages ? i18n._(text) : text);

/** Activates a language's catalogue. English is the only one so far, and is loaded like any other. */
export function activateCatalogue(locale: string, messages: Record<string, unknown>) {
  i18n.loadAndActivate({ locale, messages: messages as Parameters<typeof i18n.load>[1] });
  // Where the server draws a page there is no document; its HTML says the language itself.
  if (globalThis.document) document.documentElement.lang = locale;
}
