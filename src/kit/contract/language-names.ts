import { type Language, languageKeys, languages } from './languages.ts';

/** The languages by their English names, in the order of the screen. */
export const languageNames = languageKeys.map((key) => languages[key].inEnglish);

/** The language of an English name; English where there is none. */
export const languageNamed = (name: string): Language =>
  languageKeys.find((key) => languages[key].inEnglish === name) ?? 'en';
