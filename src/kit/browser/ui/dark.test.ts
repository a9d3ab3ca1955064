import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('a dark device and a person who chose dark see the same colours', () => {
  const lists = [...read('kit/browser/ui/dark.css').matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, list]) => list);
  expect(lists).toHaveLength(2);
  expect(lists[0]).toContain('--paper');
  expect(lists[1]).toBe(lists[0]);
});

test('no other style asks the device for its colours, so that the choice of a person rules all of them', () => {
  const asking = globSync('**/*.css', { cwd: root }).filter((file) => read(file).includes('prefers-color-scheme'));
  expect(asking).toEqual(['kit/browser/ui/dark.css']);
});

test('the white and the greys of Mantine’s menus and lists are ours, in light and dark', () => {
  const sheets = [...read('app/shell/mantine-styles.ts').matchAll(/import '(@mantine[^']*)'/g)].flatMap(
    ([, sheet = '']) =>
      // This one only defines colours.
      sheet.endsWith('default-css-variables.css')
        ? []
        : [readFileSync(fileURLToPath(import.meta.resolve(sheet)), 'utf8')],
  );
  const greys = new Set(sheets.join('').match(/--mantine-color-(?:white|(?:gray|dark)-\d)/g));
  expect(greys).toContain('--mantine-color-dark-6');
  const shell = read('app/shell/shell.css');
  expect([...greys].filter((grey) => !shell.includes(`${grey}: var(--`))).toEqual([]);
});

test('the arrow of a select is drawn in the colour of soft text, in light and dark', () => {
  for (const file of ['kit/browser/ui/theme.css', 'kit/browser/ui/dark.css']) {
    const [, soft] = /--soft: #([0-9a-f]{6})/.exec(read(file)) ?? [];
    const arrows = [...read(file).matchAll(/--chevron: [^;]*%23([0-9a-f]{6})/g)].map(([, colour]) => colour);
    expect([file, new Set(arrows)]).toEqual([file, new Set([soft])]);
  }
});

test('a page that stands alone, such as that of a server that is away, has our colours too', () => {
  // Mantine’s body asks for them, and has its own only inside the shell.
  const [, selectors = ''] =
    /([^{}]*)\{\s*--mantine-color-body: var\(--paper\)/.exec(read('app/shell/shell.css')) ?? [];
  expect(selectors.split(',').map((selector) => selector.trim())).toContain(':root');
});
