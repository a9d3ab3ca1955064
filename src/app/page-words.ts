import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';
import { say } from '#kit/server/language/say.ts';

const title = text`Admission Form`;
const noScript = text`This form needs JavaScript. Please switch it on in your browser, or ask the school for the paper form.`;

/** What the form's HTML says in a language before its script has come, and the link to the script's words. */
export function readFormLanguages(buildFolder: string) {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync(join(buildFolder, '.vite/form.json'), 'utf8'),
  );
  return (language: Language) => {
    const words = manifest[`src/words/form-${language}.ts`];
    return {
      title: say(language)(title),
      noScript: say(language)(noScript),
      links: words ? `<link rel="modulepreload" crossorigin href="/${words.file}">` : '',
    };
  };
}
