import { join } from 'node:path';
import { dateMonths, type Language, languageKeys } from '#kit/contract/languages.ts';
import { otherMonths } from '#kit/contract/months.ts';
import { inLanguage, isText, type Text } from '#kit/contract/text.ts';
import { readCatalogue } from './catalogue.ts';

Object.assign(dateMonths, otherMonths);

type Patterns = ReadonlyMap<string, string>;

/** Texts that the browser has too, of the form and of the family page, and last those that only the server says. */
export const catalogues = ['form', 'family', 'family-more', 'server'] as const;

const read = (catalogue: string, language: Language): Patterns => {
  const file = join(import.meta.dirname, '../../../locales/words', catalogue, `${language}.po`);
  const entries = readCatalogue(file).filter(({ translation }) => translation !== '');
  return new Map(entries.map(({ id, translation }) => [id, translation]));
};

const kept = new Map<string, Patterns>();

/** Read at the first use, for the life of the process. */
function patternsOf(catalogue: string, language: Language): Patterns {
  const key = `${catalogue}/${language}`;
  const found = kept.get(key) ?? read(catalogue, language);
  kept.set(key, found);
  return found;
}

const find = (id: string, language: Language) =>
  catalogues.map((catalogue) => patternsOf(catalogue, language).get(id)).find((pattern) => pattern !== undefined);

/** Writes texts in a reader's language; what is not translated is in English. */
export const say =
  (language: Language) =>
  (text: Text): string =>
    inLanguage(text, language, (id) => find(id, language));

/** The pattern of a text in a language; of one that is not translated the English. */
export const patternOf = ({ id, message = id }: Text, language: Language): string =>
  (language === 'en' ? undefined : find(id, language)) ?? message;

/** Whether a text can be said in a language. */
export const isTranslated = ({ id }: Text, language: Language): boolean =>
  language === 'en' || find(id, language) !== undefined;

const others = languageKeys.filter((language) => language !== 'en');

/**
 * An answer whose texts carry the translations that only the server has, so that a page which shows one can change its
 * language.
 */
export function withWords(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withWords);
  if (typeof answer !== 'object' || answer === null || Object.getPrototypeOf(answer) !== Object.prototype)
    return answer;
  const inner = Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withWords(value)]));
  if (!isText(answer)) return inner;
  const found = others.flatMap((language) => {
    const pattern = patternsOf('server', language).get(answer.id);
    return pattern === undefined ? [] : [[language, pattern]];
  });
  return found.length > 0 ? { ...inner, words: Object.fromEntries(found) } : inner;
}
