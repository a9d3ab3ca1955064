import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPassword } from '#features/sign-in/contract/password.ts';
import { upgradeStops } from '../src/app/upgrade-stops.ts';
import { programVersion } from '../src/kit/server/version.ts';
import { changelogFaults } from './changelog.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const changelog = read('CHANGELOG.md');
const expected = { version: programVersion(), stops: upgradeStops };
const faultsOf = (text: string, more: Partial<typeof expected> = {}) => changelogFaults(text, { ...expected, ...more });

test('UP13 the changelog begins with this version, and names every act that a start asks for, letter for letter', () => {
  expect(faultsOf(changelog)).toEqual([]);
  expect(faultsOf(changelog, { version: '0.3.0' })).toEqual(['The first section must be that of version 0.3.0.']);
  expect(faultsOf(changelog.replace('needs PostgreSQL 17', 'wants PostgreSQL 17')).join('\n')).toMatch(
    /0.2.0 lacks the act "Shala needs PostgreSQL 17 or newer".\n0.2.0 names an act that no start asks for/,
  );
  expect(faultsOf(changelog.replace('2026-11-23', '2026-12-23'))).toEqual(['0.2.0 must not be older than 0.1.0.']);
  expect(faultsOf(changelog.replace('## 0.1.0', '## 0.2.1'))[0]).toBe('0.2.0 must be later than 0.2.1.');
  expect(faultsOf(changelog, { stops: [...upgradeStops, { since: '0.1.5', text: 'Do it.' }] })).toEqual([
    'There is no section of version 0.1.5.',
  ]);
});

test('UP13 create-admin, README and the guide name the length of a password that the program asks for', () => {
  const accepts = (length: number) => newPassword.safeParse('x'.repeat(length)).success;
  expect([7, 8, 15, 16].map(accepts)).toEqual([false, true, true, false]);
  for (const path of ['scripts/create-admin.ts', 'README.md', 'docs/guide/operate.md'])
    expect([path, read(path).includes('8 to 15 characters')]).toEqual([path, true]);
});

test('UP13 each promise about upgrades in README names tests that exist', () => {
  const part = /## Upgrades([\s\S]*?)\n## /.exec(read('README.md'))?.[1] ?? '';
  const promises = part.split(/^\d\. /m).slice(1);
  expect(promises).toHaveLength(4);
  const known = read('docs/acceptance.txt');
  for (const promise of promises) {
    const ids = [...promise.matchAll(/\b(?:UP|J)\d+\b/g)].map(([id]) => id);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(known).toContain(`\n${id} `);
  }
});
