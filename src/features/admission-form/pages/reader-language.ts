import { configuration } from '#features/school/ui/configuration.ts';
// biome-ignore lint/style/noRestrictedImports: a choice is sent without a button to press again, also before the form is drawn.
import { call } from '#kit/browser/data/call.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { askedLanguage, keepLanguage } from '#kit/browser/language.tsx';
import type { Language } from '#kit/contract/languages.ts';
import { pageLanguageApi } from '../contract/page-language.ts';

let newest: Language | undefined;
let isSending = false;

/** Keeps a choice with the family's inquiry, where its link opens one. Of several at once the server gets the newest last. */
export async function sendLanguage(language: Language) {
  if (!currentLink()) return;
  newest = language;
  if (isSending) return;
  isSending = true;
  while (newest) {
    const next = newest;
    newest = undefined;
    // The device has the choice too, so a refusal needs no message.
    await call(pageLanguageApi.choose, { language: next }, { key: crypto.randomUUID() }).catch(() => undefined);
  }
  isSending = false;
}

/** Keeps the language that the reader tapped before the page's script had loaded: the address has it then. */
export function keepAskedLanguage() {
  const asked = askedLanguage();
  if (!asked || !configuration().languages.includes(asked)) return;
  keepLanguage(asked);
  void sendLanguage(asked);
}
