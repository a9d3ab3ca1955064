// `npm run translations`: what is wrong with the catalogues of other languages than English. With a folder it checks that one.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languageKeys } from '../src/kit/contract/languages.ts';
import { readCatalogue } from '../src/kit/server/language/catalogue.ts';
import { findFaults, type Translated } from './translation-faults.ts';

const root = join(import.meta.dirname, '../src/locales');

/** Every translated text below a folder, with the file that it is in. */
export function readTranslated(folder = root): Translated[] {
  return languageKeys
    .filter((language) => language !== 'en')
    .flatMap((language: Language) =>
      globSync(`**/${language}.po`, { cwd: folder })
        .sort()
        .flatMap((file) => readCatalogue(join(folder, file)).map((entry) => ({ ...entry, file, language }))),
    );
}

if (import.meta.main) {
  const faults = findFaults(readTranslated());
  for (const { file, id, rule } of faults) process.stderr.write(`${file}: “${id.slice(0, 80)}”: ${rule}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
