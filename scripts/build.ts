import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programVersion } from '../src/kit/server/version.ts';
import { runApart } from './apart.ts';
import { say } from './say.ts';

const root = join(import.meta.dirname, '..');
const inputs = [
  'src/**/*',
  'public/*',
  '*.html',
  'docs/use/**/*',
  'vite.config.ts',
  'scripts/build-pages.ts',
  'scripts/chunk-groups.ts',
  'scripts/feature-catalogues.ts',
  'scripts/guide-pages.ts',
  'scripts/icon-imports.ts',
  'scripts/in-place-of-react.ts',
  'scripts/without-schemas.ts',
  'package-lock.json',
];

/** No page is built from these. */
export const notBuilt = [
  'src/features/*/server/**',
  'src/features/*/{api,matrix,seed}.ts',
  'src/**/*.{test,spec}.{ts,tsx}',
];

/** Builds the pages into dist/ unless dist/ is up to date with the sources. */
export async function buildPages() {
  const stamp = join(root, 'dist/.stamp');
  const sources = fingerprint();
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
    say('Building the pages');
    await runApart(join(import.meta.dirname, 'build-pages.ts'));
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stamp, sources);
  }
  writeFileSync(
    join(root, 'dist/version.json'),
    `${JSON.stringify({ version: programVersion(), commit: commitOf() })}\n`,
  );
}

/** The commit that is checked out; empty where this is no clone, or git is missing. */
function commitOf(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(inputs, { cwd: root, exclude: notBuilt }).sort();
  for (const file of files) {
    if (/\.[a-z]+$/.test(file)) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
