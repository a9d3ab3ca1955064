import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';
import { say } from '#kit/server/language/say.ts';

/** What the HTML of each page in several languages says before its script has come. */
const words = {
  form: {
    title: text`Admission Form`,
    noScript: text`This form needs JavaScript. Please switch it on in your browser, or ask the school for the paper form.`,
  },
  family: {
    title: text`School page`,
    noScript: text`This page needs JavaScript. Please switch it on in your browser, or call the school.`,
  },
};

/** What a page's HTML says in a language, and the link to the script's words. */
export function readPageLanguages(buildFolder: string, page: keyof typeof words) {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync(join(buildFolder, `.vite/${page}.json`), 'utf8'),
  );
  const { title, noScript } = words[page];
  return (language: Language) => {
    const own = manifest[`src/words/${page}-${language}.ts`];
    return {
      title: say(language)(title),
      noScript: say(language)(noScript),
      links: own ? `<link rel="modulepreload" crossorigin href="/${own.file}">` : '',
    };
  };
}
