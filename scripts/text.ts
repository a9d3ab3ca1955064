// `npm run text`: updates the catalogues. With --check it changes nothing and fails where a catalogue is stale or a
// text breaks scripts/plain-words.ts.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCache, writeCache } from './cache.ts';
import { changedFiles } from './changed-files.ts';
import { staleTexts } from './changed-texts.ts';
import { readCommandLine } from './command-line.ts';
import { findUnplainTexts } from './plain-words.ts';
import { addWordFiles } from './word-files.ts';

const { values } = readCommandLine({
  command: 'npm run text',
  does: 'Brings the catalogues in src/locales up to date with the pages, the contracts and the server.',
  options: { check: { type: 'boolean', help: 'Change nothing, and end with 1 where a catalogue is stale.' } },
});

/** English of everything, and the other languages of what families read. */
const configurations: [config: string, ...more: string[]][] = [
  ['lingui.config.ts', '--locale', 'en'],
  ['lingui.text.config.ts'],
  ['lingui.translated.config.ts'],
  ['lingui.words.config.ts'],
];

const root = join(import.meta.dirname, '..');
const isCheck = values.check;

const before = readAll();
const checked = isCheck ? fingerprint(before) : '';

if (isCheck && changedFiles) {
  for (const text of await staleTexts(changedFiles)) fail(`Stale: “${text}”. Run npm run text.`);
} else if (isCheck && readCache('text', checked)) {
  // Neither the sources nor the catalogues have changed since they were found to match.
} else if (isCheck) {
  extract();
  const after = readAll();
  const stale = Object.keys({ ...before, ...after }).filter((file) => before[file] !== after[file]);
  for (const file of stale) writeFileSync(join(root, file), before[file] ?? '');
  if (stale.length > 0) fail(`Stale: ${stale.join(', ')}. Run npm run text.`);
  else writeCache('text', checked, true);
} else {
  extract();
  addWordFiles(root);
  // Lingui sorts a new text into its place only after reading it back from the catalogue.
  extract();
}
for (const problem of findUnplainTexts(readAll())) fail(problem);

function extract() {
  for (const [config, ...more] of configurations) {
    // Lingui's own workers are given up after ten seconds, which a busy machine needs to start them.
    const done = spawnSync(
      'node_modules/.bin/lingui',
      ['extract', '--clean', '--workers', '1', '--config', config, ...more],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const said = done.stdout + done.stderr;
    const refused = [...new Set(said.match(/^(?:Cannot process file|Error:) .*$/gm))];
    if (done.status !== 0 || refused.length > 0) throw new Error(refused.join('\n') || said);
  }
}

/** Of everything that decides what the catalogues contain, and of themselves. */
function fingerprint(catalogues: Record<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify(catalogues));
  const sources = ['src/**/*.{ts,tsx}', 'lingui*.config.ts', 'scripts/{text,text-extractor}.ts', 'package-lock.json'];
  for (const file of globSync(sources, { cwd: root }).sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function readAll(): Record<string, string> {
  const files = globSync('src/locales/**/*.po', { cwd: root });
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

function fail(why: string) {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}
