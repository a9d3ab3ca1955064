import type { Language } from '#kit/contract/languages.ts';
import { options } from '#kit/contract/text.ts';

/** In which language the register keeps names, beside English letters. */
export const localLanguages = options('Gujarati', 'Hindi');
export type LocalLanguage = (typeof localLanguages)[number];
/** Their keys among the languages of families. */
export const localKeys: Record<LocalLanguage, Language> = { Gujarati: 'gu', Hindi: 'hi' };
