import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { translatedLanguages } from '../src/kit/contract/languages.ts';

/** What a page fetches in one file besides English: texts of its own and those of contracts. */
const pages = {
  form: "the admission form's pages",
  family: 'the family page',
  'family-more': 'what the buttons of the family page open',
};

/** Adds the files by which the pages fetch the catalogues of a new language. */
export function addWordFiles(root: string) {
  for (const [page, name] of Object.entries(pages))
    for (const language of translatedLanguages) {
      const file = join(root, `src/words/${page}-${language}.ts`);
      if (existsSync(file)) continue;
      writeFileSync(
        file,
        `// The words of ${name}, in one file: those of its own and those of contracts.
export { messages } from '../locales/${page}/${language}.po';
export { texts } from '../locales/words/${page}/${language}.po?texts';
`,
      );
    }
}
