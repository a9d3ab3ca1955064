import { options } from '#kit/contract/text.ts';

/** In which language the register keeps names, beside English letters. */
export const localLanguages = options('Gujarati', 'Hindi');
export type LocalLanguage = (typeof localLanguages)[number];
