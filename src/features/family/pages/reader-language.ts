import { configuration } from '#features/school/ui/configuration.ts';
// biome-ignore lint/style/noRestrictedImports: a choice is sent without a button to press again, also before the page is drawn.
import { call } from '#kit/browser/data/call.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { askedLanguage, chosenLanguage, keepLanguage, speak } from '#kit/browser/language.tsx';
import { currentLanguage } from '#kit/browser/text.ts';
import type { Language } from '#kit/contract/languages.ts';
import { behindLink, type FamilyPageData, familyApi } from '../contract/family.ts';

let newest: Language | undefined;
let isSending = false;

/** Keeps a choice as the guardian's, for messages too. Of several at once the server gets the newest last. */
export async function sendLanguage(language: Language) {
  if (!currentLink(behindLink.link)) return;
  newest = language;
  if (isSending) return;
  isSending = true;
  while (newest) {
    const next = newest;
    newest = undefined;
    // The device has the choice too, so a refusal needs no message.
    await call(familyApi.preference, { language: next }, { key: crypto.randomUUID() }).catch(() => undefined);
  }
  isSending = false;
}

/**
 * Keeps on this device the language that the address of a message asks for. It doesn't become the guardian's: scanners of
 * mail open every address.
 */
export function keepAskedLanguage() {
  const asked = askedLanguage();
  if (asked && configuration().languages.includes(asked)) keepLanguage(asked);
}

/** Shows the page in the guardian's language, where its reader has chosen none on this device. */
export async function speakTo({ language }: Pick<FamilyPageData, 'language'>) {
  const offered = configuration().languages;
  if (!language || chosenLanguage(offered) || language === currentLanguage()) return;
  if (offered.includes(language)) await speak(language);
}
