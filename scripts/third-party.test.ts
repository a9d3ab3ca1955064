import { expect, test } from 'vitest';
import { notAllowed, packagesOf } from './third-party.ts';

test('third-party notices list what is shipped once, and a licence that is not on the list is found in any combination', () => {
  const packages = packagesOf({
    '': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', license: 'MIT' },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'MIT' },
    'node_modules/a': { version: '1.0.0', license: '(MIT OR CC0-1.0)' },
    'node_modules/@x/c': { version: '1.0.0', license: 'MIT AND AGPL-3.0' },
    'node_modules/d': { version: '1.0.0' },
    'node_modules/cli-table': { version: '0.3.11' },
    'node_modules/e': { version: '1.0.0', license: 'GPL-2.0', dev: true },
  });
  expect(packages.map(({ name }) => name)).toEqual(['@x/c', 'a', 'b', 'cli-table', 'd']);
  expect(notAllowed(packages).map(({ name }) => name)).toEqual(['@x/c', 'd']);
});
