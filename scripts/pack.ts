// `npm run pack -- <folder>`: a folder that runs a school's server without npm, compiler or network: sources, built pages,
// migrations, the operator's commands, and the packages that these need.
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildPages } from './build.ts';
import { readCommandLine } from './command-line.ts';
import { isLeft } from './pack-leaves.ts';
import { say } from './say.ts';
import { packedCommands, placesOf, servedFiles, servedPackages } from './served-packages.ts';

const { argument } = readCommandLine({
  command: 'npm run pack',
  does: 'Writes a folder that runs the server of a school on a machine with Node alone, for the system of this machine.',
  argument: { name: 'folder', help: 'The folder; it must be empty, or not there yet.' },
});
const root = join(import.meta.dirname, '..');

/** Files and folders beside `src`, the scripts of the commands and the packages. */
const others = ['database', 'dist', 'docs/run', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY.md', 'SECURITY.md'];
try {
  if (!argument) throw new Error('Give a folder, for example: npm run pack -- /opt/shala');
  const folder = resolve(process.env.INIT_CWD ?? '.', argument); // The folder in which npm was called.
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  await buildPages();
  pack(folder);
  const files = globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  const bytes = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  say(`Packed ${files.length} files, ${Math.round(bytes / 1_000_000)} MB, into ${folder}`);
  say(`Start it there with: ${startLine()}`);
} catch (error) {
  say(`Nothing was packed: ${(error as Error).message}`);
  process.exitCode = 1;
}

function pack(folder: string) {
  const files = servedFiles();
  const names = servedPackages(files);
  const { name, version, license, type, engines, imports, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const unknown = names.filter((one) => !(one in dependencies));
  if (unknown.length > 0) throw new Error(`The server imports ${unknown.join(', ')}, which is in no "dependencies".`);

  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const commands = files.filter((path) => path.startsWith('scripts/'));
  for (const path of ['src', ...others, ...commands, ...placesOf(names, lock)]) copy(path, folder);

  const own = {
    ...{ name, version, license, private: true, type, engines, imports },
    scripts: {
      start: startLine(),
      ...Object.fromEntries(packedCommands.map((command) => [command, `node scripts/${command}.ts`])),
    },
    dependencies: Object.fromEntries(names.map((one) => [one, dependencies[one]])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

function copy(path: string, folder: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(root, path), join(folder, path), {
    recursive: true,
    filter: (source) => !isLeft(source.slice(root.length + 1), path),
  });
}

function startLine(): string {
  const flags: string[] = JSON.parse(readFileSync(join(root, 'scripts/server-flags.json'), 'utf8'));
  return ['node', ...flags, 'src/server.ts'].join(' ');
}
