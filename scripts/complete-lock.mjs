// Completes package-lock.json after `npm install`: npm omits optional packages of other platforms that its registry
// could not describe, and `npm ci` then refuses the file. The packages that need them name their versions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'x64', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, wanted] of Object.entries(optionalDependencies)) {
    if (!/^[\^~]?[0-9]+\.[0-9]+\.[0-9]+/.test(wanted)) continue; // A platform's binary has no range.
    const version = wanted.replace(/^[\^~]/, '');
    const [outer, inner] = [`node_modules/${name}`, `${parent}/node_modules/${name}`];
    if (
      lock.packages[inner] ||
      lock.packages[outer]?.version === version ||
      (lock.packages[outer] && wanted !== version)
    )
      continue;
    const place = lock.packages[outer] ? inner : outer;
    const parts = name.split(/[/-]/);
    const os = systems.filter((system) => parts.includes(system));
    const cpu = processors.filter((processor) =>
      parts.some((part) => part === processor || (processor === 'arm' && part.startsWith('arm') && part !== 'arm64')),
    );
    lock.packages[place] = {
      version,
      ...(cpu.length > 0 && { cpu }),
      ...(dev && { dev }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
  }
}

const { '': root, ...rest } = lock.packages;
lock.packages = {
  '': root,
  ...Object.fromEntries(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1))),
};
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
