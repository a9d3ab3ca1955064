// Checks CHANGELOG.md: its top version is that of package.json, versions and dates descend, and what stands under "Before
// you upgrade" are the sentences with which the program stops.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { upgradeStops } from '../src/app/upgrade-stops.ts';
import { programVersion } from '../src/kit/server/version.ts';
import { say } from './say.ts';

const head = /^## (\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)$/;
const before = '### Before you upgrade';

const isLater = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true }) > 0;

interface Expected {
  version: string;
  stops: readonly { since: string; text: string }[];
}

/** What is wrong with a changelog, in words. */
export function changelogFaults(text: string, { version, stops }: Expected): string[] {
  const sections = text.split(/^(?=## )/m).slice(1);
  const heads = sections.map((section) => head.exec(section.split('\n')[0] ?? ''));
  const named = heads.map((found) => ({ version: found?.[1] ?? '', day: found?.[2] ?? '' }));
  const faults: string[] = [];
  if (heads.includes(null)) faults.push('A section needs a head such as "## 0.2.0 – 2026-11-29".');
  if (named[0]?.version !== version) faults.push(`The first section must be that of version ${version}.`);
  for (const [index, one] of named.entries()) {
    const earlier = named[index + 1];
    if (earlier && !isLater(one.version, earlier.version))
      faults.push(`${one.version} must be later than ${earlier.version}.`);
    if (earlier && one.day < earlier.day) faults.push(`${one.version} must not be older than ${earlier.version}.`);
    const lines = (sections[index] ?? '').split('\n');
    if (lines[2] !== before) faults.push(`${one.version} must begin with "${before}".`);
    const acts = actsOf(lines);
    const wanted = stops.filter(({ since }) => since === one.version).map((stop) => stop.text);
    for (const sentence of wanted)
      if (!acts.some((act) => act.startsWith(sentence))) faults.push(`${one.version} lacks the act "${sentence}".`);
    for (const act of acts)
      if (!wanted.some((sentence) => act.startsWith(sentence)))
        faults.push(
          `${one.version} names an act that no start asks for: "${act}". Add it to src/app/upgrade-stops.ts.`,
        );
  }
  const unknown = stops.filter(({ since }) => !named.some((one) => one.version === since));
  for (const { since } of unknown) faults.push(`There is no section of version ${since}.`);
  return faults;
}

/** The acts of "Before you upgrade", each in one line. */
function actsOf(lines: string[]): string[] {
  const from = lines.indexOf(before);
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line.startsWith('### '));
  const part = end < 0 ? rest : rest.slice(0, end);
  return part
    .join('\n')
    .split(/^- /m)
    .slice(1)
    .map((act) => act.trim().replace(/\s+/g, ' '));
}

if (import.meta.main) {
  const text = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
  for (const fault of changelogFaults(text, { version: programVersion(), stops: upgradeStops })) {
    say(`CHANGELOG.md: ${fault}`);
    process.exitCode = 1;
  }
}
