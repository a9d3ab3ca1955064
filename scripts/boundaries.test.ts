import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { featureRings } from './feature-rings.ts';

const root = join(import.meta.dirname, '..');
let folder: string;
let found: { category: string; path: string }[];

/** Each breaks a rule of the import table or of the linter, and must be reported. */
const planted: [path: string, text: string, rule: string][] = [
  [
    'src/kit/contract/one.ts',
    "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
    'noRestrictedImports',
  ],
  [
    'src/kit/contract/two.ts',
    "import { b } from '#kit/server/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  ['src/kit/server/one.ts', "import { b } from '#kit/browser/thing.ts';\nexport const a = b;\n", 'noRestrictedImports'],
  [
    'src/kit/server/two.ts',
    "import { b } from '#features/ticket/contract.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  ['src/kit/browser/one.ts', "import { b } from '#kit/server/thing.ts';\nexport const a = b;\n", 'noRestrictedImports'],
  [
    'src/features/ticket/contract.ts',
    "import { b } from '#kit/server/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/contract/one.ts',
    "import { b } from '../server/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server.ts',
    "import { b } from '#features/fee/server.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server/one.ts',
    "import { b } from '../pages/Thing.tsx';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/one.ts',
    "import { b } from '../server.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/acts.ts',
    "import { call } from '#kit/browser/data/call.ts';\nexport const a = call;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/ui/acts.ts',
    "import { call } from '#kit/browser/data/call.ts';\nexport const a = call;\n",
    'noRestrictedImports',
  ],
  [
    'src/app/shell/Acts.tsx',
    "import { call } from '#kit/browser/data/call.ts';\nexport const a = call;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/two.ts',
    "import { b } from '#kit/server/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server/rows.ts',
    "import { rows } from '../matrix.ts';\nexport const a = rows;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/rows.ts',
    "import { rows } from '../matrix.ts';\nexport const a = rows;\n",
    'noRestrictedImports',
  ],
  [
    'src/app/rows.ts',
    "import { rows } from '#features/ticket/matrix.ts';\nexport const a = rows;\n",
    'noRestrictedImports',
  ],
  ['src/kit/server/three.ts', "import { b } from './Thing.tsx';\nexport const a = b;\n", 'noRestrictedImports'],
  [
    'src/features/ticket/contract/pages.ts',
    "import { b } from 'zod/mini';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/contract/macro.ts',
    "import { b } from '@lingui/core/macro';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/contract/two.ts',
    "import { b } from './Thing.tsx';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server/two.ts',
    "import { b } from '../thing.tsx';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server/three.ts',
    "import { b } from '@lingui/core/macro';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server/four.ts',
    "import { b } from '../seed.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  ['src/features/ticket/server/five.ts', "export const a = () => import('../seed.ts');\n", 'noRestrictedImports'],
  [
    'src/features/ticket/server/six.ts',
    "import { b } from '../matrix.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/server/seven.ts',
    "import { b } from './feature.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/fee-price/server/feature.ts',
    "import { b } from '../matrix.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  ['src/features/ticket/api.ts', "import { b } from './pages/thing.ts';\nexport const a = b;\n", 'noRestrictedImports'],
  [
    'src/features/fee-price/api.ts',
    "import { b } from '#features/ticket/server/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/seed.ts',
    "import { b } from '#features/fee/server/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/matrix.ts',
    "import { b } from './pages/Thing.tsx';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/three.ts',
    "import { b } from '../seed.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/four.ts',
    "import { b } from '#features/fee/pages/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/five.ts',
    "import { Link } from '@tanstack/react-router';\nexport const a = Link;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/feature.tsx',
    "import { b } from '../contract/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/ui/one.ts',
    "import { b } from '#features/fee/pages/thing.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  ['src/features/ticket/ui.tsx', "import { b } from './server.ts';\nexport const a = b;\n", 'noRestrictedImports'],
  [
    'src/access/contract/one.ts',
    "import { b } from '#features/ticket/contract.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/access/server/one.ts',
    "import { b } from '#features/ticket/api.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/contract/six.ts',
    "import { b } from '#access/server/scope.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/features/ticket/pages/six.ts',
    "import { b } from '#access/server/scope.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  [
    'src/kit/server/access.ts',
    "import { b } from '#access/contract/grants.ts';\nexport const a = b;\n",
    'noRestrictedImports',
  ],
  ['src/app/one.ts', "import { b } from '#features/ticket/seed.ts';\nexport const a = b;\n", 'noRestrictedImports'],
  ['src/app/two.ts', "export const a = () => import('#features/ticket/matrix.ts');\n", 'noRestrictedImports'],
  ['src/app/three.ts', "import { b } from './thing.tsx';\nexport const a = b;\n", 'noRestrictedImports'],
  ['database/one.ts', "import { b } from '#features/ticket/seed.ts';\nexport const a = b;\n", 'noRestrictedImports'],
  ['src/kit/server/round.ts', "import { b } from './about.ts';\nexport const a = () => b;\n", 'noImportCycles'],
  ['src/kit/server/about.ts', "import { a } from './round.ts';\nexport const b = () => a;\n", 'noImportCycles'],
  [
    'src/kit/server/shape.ts',
    "import type { B } from './form.ts';\nexport interface A {\n  b: B;\n}\n",
    'noImportCycles',
  ],
  [
    'src/kit/server/form.ts',
    "import type { A } from './shape.ts';\nexport interface B {\n  a: A;\n}\n",
    'noImportCycles',
  ],
  ['src/kit/server/any.ts', 'export const a = (b: any) => b;\n', 'noExplicitAny'],
  ['src/kit/server/float.ts', 'const act = async () => 1;\nexport function a() {\n  act();\n}\n', 'noFloatingPromises'],
];

/** Allowed code must not be reported, or a check that flags everything would pass. */
const allowed: [path: string, text: string][] = [
  [
    'src/kit/contract/good.ts',
    "import * as z from 'zod/mini';\nimport { other } from './other.ts';\nexport const a = [z, other];\n",
  ],
  [
    'src/kit/server/good.ts',
    "import { readFileSync } from 'node:fs';\nimport { b } from '#kit/contract/good.ts';\nexport const a = [readFileSync, b];\n",
  ],
  [
    'src/features/ticket/pages/good.ts',
    "import { b } from '#features/fee/contract.ts';\nimport { c } from '../contract.ts';\nexport const a = [b, c];\n",
  ],
  ['src/app/rows.test.ts', "import { rows } from '#features/ticket/matrix.ts';\nexport const a = rows;\n"],
  [
    'src/features/fee-price/contract/pages.ts',
    "import type { Page } from '#kit/contract/page.ts';\nimport { b } from './access.ts';\nexport const a: Page = b;\n",
  ],
  [
    'src/features/ticket/server/feature.ts',
    "import { b } from '#kit/server/feature.ts';\nexport const a = b(() => import('../seed.ts'));\n",
  ],
  [
    'src/features/fee-price/pages/feature.tsx',
    "import { b } from '#kit/browser/feature.ts';\nexport const a = b(() => import('./FeePage.tsx'));\n",
  ],
  ['src/features/fee-price/seed.ts', "import { b } from '#features/ticket/seed.ts';\nexport const a = b;\n"],
  ['src/features/fee-price/matrix.ts', "import { b } from '#testing/callers.ts';\nexport const a = b;\n"],
  ['src/app/good.tsx', "import { b } from './Thing.tsx';\nexport const a = b;\n"],
  ['src/app/matrix.test.ts', "import { b } from '#features/ticket/matrix.ts';\nexport const a = b;\n"],
  ['src/features/ticket/server/good.ts', "import { b } from '#features/fee-price/api.ts';\nexport const a = b;\n"],
];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-boundaries-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: undefined }));
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const [path, text] of [...planted, ...allowed]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '--max-diagnostics=200'], {
    cwd: folder,
    encoding: 'utf8',
  });
  found = JSON.parse(stdout).diagnostics.map(
    ({ category, location }: { category: string; location: { path: string | { file: string } } }) => ({
      category,
      path: typeof location.path === 'string' ? location.path : location.path.file,
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(planted)('%s is found to break its rule', (path, _text, rule) => {
  expect(found.filter((finding) => finding.path === path && finding.category.endsWith(rule))).not.toEqual([]);
});

test.each(allowed)('%s is left alone', (path) => {
  expect(found.filter((finding) => finding.path === path && finding.category.endsWith('noRestrictedImports'))).toEqual(
    [],
  );
});

// Biome cannot tell an import that runs when the demo is made from one that runs at every start.
test.each(globSync('src/features/*/server/feature.ts', { cwd: root }))('%s loads its seed only for a demo', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/from '[^']*seed\.ts'/);
});

const source = (path: string, ...names: string[]) => ({
  path,
  text: names.map((name) => `import { a } from '${name}';\n`).join(''),
});

test('features whose folders import each other are found as a ring', () => {
  const sources = [
    source('src/features/fee/server/a.ts', '#features/ticket/api.ts'),
    source('src/features/ticket/contract.ts', '#features/bus/contract.ts'),
    { path: 'src/features/bus/pages/feature.tsx', text: "const load = () => import('#features/fee/pages/A.tsx');\n" },
    source('src/features/club/server.ts', '#features/fee/api.ts', './other.ts'),
    source('src/features/fee/seed.ts', '#features/club/api.ts'),
  ];
  expect(featureRings(sources)).toEqual([['bus', 'fee', 'ticket']]);
  expect(featureRings(sources.filter(({ path }) => !path.includes('bus')))).toEqual([]);
});

test('no features import each other in a ring', () => {
  const paths = globSync('src/features/**/*.{ts,tsx}', { cwd: root });
  const rings = featureRings(paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })));
  expect(rings).toEqual([]);
});
