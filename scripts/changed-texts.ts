// The catalogues' texts of changed files, without extracting those of the whole product. What comments say of a text is left
// to the whole check.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';

const root = join(import.meta.dirname, '..');

/** Texts by their ids, each with the files that say it. */
type Texts = Readonly<Record<string, { message?: string; origin?: readonly (readonly [string, ...unknown[]])[] }>>;

/** The texts that these files say and a catalogue does not have of them, or the other way round. */
export function staleIn(catalogue: Texts, said: Texts, files: readonly string[]): string[] {
  const originsIn = (texts: Texts, id: string) =>
    files.filter((path) => texts[id]?.origin?.some(([origin]) => origin === path));
  return [...new Set([...Object.keys(catalogue), ...Object.keys(said)])]
    .filter((id) => `${originsIn(catalogue, id)}` !== `${originsIn(said, id)}`)
    .map((id) => (said[id] ?? catalogue[id])?.message ?? id);
}

/** The texts of these files for which `npm run text` would change a catalogue. */
export async function staleTexts(files: readonly string[]): Promise<string[]> {
  const there = files.filter((path) => /^src\/.*\.tsx?$/.test(path) && existsSync(join(root, path)));
  const stale: string[] = [];
  for (const configPath of ['lingui.config.ts', 'lingui.text.config.ts'])
    for (const catalogue of await getCatalogs(getConfig({ configPath: join(root, configPath), cwd: root }))) {
      const said = there.length > 0 ? await catalogue.collect({ files: there }) : {};
      if (!said) throw new Error('A text could not be read; the error stands above.');
      stale.push(...staleIn((await catalogue.read('en')) ?? {}, said, files));
    }
  return stale;
}
