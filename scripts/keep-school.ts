// `npm run keep-school`: keeps a small school with rows in every table, as this version stores it, for the tests of later
// versions. Done once for each release.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

readCommandLine({
  command: 'npm run keep-school',
  does: 'Keeps a small school as this version stores it, in src/app/backup/archives, for the tests of later versions.',
  options: {},
});

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const folder = join(root, 'src/app/backup/archives', version);
if (existsSync(folder)) {
  say(`${folder} is there already. Delete it first to keep another school of version ${version}.`);
  process.exit(1);
}
const words = [
  'run',
  '--project',
  'works',
  'src/app/backup/whole-school.test.ts',
  '-t',
  'rows in every table|kept as an archive',
];
const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), words, {
  cwd: root,
  env: { ...process.env, KEEP_SCHOOL: folder },
  stdio: 'inherit',
});
process.exit(status ?? 1);
