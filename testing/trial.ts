// The trial language: each text stands in «brackets» with its vowels doubled, which makes it some 40 % longer. Words outside
// brackets were not translated, unless a person entered them.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';

/** A compiled message: words and values; a plural holds a message for each form. */
type Token = string | [name: string, kind?: string, forms?: Record<string, Token[]> | string];
export type Catalogue = Record<string, Token[]>;

const lengthen = (words: string) => words.replace(/[aeiou]/gi, '$&$&');

const lengthened = (tokens: readonly Token[]): Token[] =>
  tokens.map((token) => {
    if (typeof token === 'string') return lengthen(token);
    const [name, kind, forms] = token;
    if (typeof forms !== 'object') return token;
    const longer = Object.entries(forms).map(([form, words]) => [
      form,
      Array.isArray(words) ? lengthened(words) : typeof words === 'string' ? lengthen(words) : words,
    ]);
    return [name, kind, Object.fromEntries(longer)];
  });

/** A compiled catalogue in the trial language. */
export const inTrial = (catalogue: Catalogue): Catalogue =>
  Object.fromEntries(Object.entries(catalogue).map(([id, tokens]) => [id, ['«', ...lengthened(tokens), '»']]));

/** The English texts of contracts and server, compiled. */
export async function readTexts(): Promise<Catalogue> {
  // Workers of browser tests import this file for the brackets alone.
  const { createCompiledCatalog } = await import('@lingui/cli/api');
  const { formatter } = await import('@lingui/format-po');
  const file = join(import.meta.dirname, '../src/locales/text/en.po');
  const context = { locale: 'en', sourceLocale: 'en', filename: file };
  const entries = Object.entries(await formatter().parse(readFileSync(file, 'utf8'), context));
  const messages = Object.fromEntries(entries.map(([id, { translation }]) => [id, translation ?? '']));
  const { source, errors } = createCompiledCatalog('en', messages, { namespace: 'json' });
  if (errors.length > 0) throw new Error(errors.map(({ error }) => error.message).join('\n'));
  return (JSON.parse(source) as { messages: Catalogue }).messages;
}

/** The scripts of a built folder that hold a catalogue, in the trial language, by their addresses. */
export function readTrialScripts(folder: string, texts: Catalogue): ReadonlyMap<string, string> {
  const entries = globSync('*.html', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  const scripts = globSync('assets/*.js', { cwd: folder }).flatMap((file): [string, string][] => {
    // The texts of contracts and server come with the first catalogue of a page, whatever loads after it.
    const isFirst = entries.some((html) => html.includes(basename(file)));
    const script = readFileSync(join(folder, file), 'utf8');
    const inTrialLanguage = script.replace(/JSON\.parse\((`\{"[^`]{6}":\[(?:[^`\\]|\\.)*`)\)/g, (_, literal) => {
      const messages = JSON.parse(runInNewContext(literal)) as Catalogue;
      return `JSON.parse(${JSON.stringify(JSON.stringify(inTrial(isFirst ? { ...texts, ...messages } : messages)))})`;
    });
    return inTrialLanguage === script ? [] : [[`/${file}`, inTrialLanguage]];
  });
  return new Map(scripts);
}

/**
 * Text outside brackets that has a letter, in the parts of a text. The parts are in reading order; a text may span
 * several.
 */
export function outsideBrackets(parts: readonly string[]): string[] {
  let depth = 0;
  const outside = (part: string) =>
    [...part].filter((sign) => {
      if (sign === '«') depth++;
      const isOutside = depth === 0;
      if (sign === '»') depth--;
      return isOutside;
    });
  return parts.map((part) => outside(part).join('').trim()).filter((rest) => /\p{L}/u.test(rest));
}
