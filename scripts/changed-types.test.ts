import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typeErrors } from './changed-types.ts';

test('the types of a change are those of the asked files, in each project that has them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'shala-types-'));
  const files = {
    'given.ts': 'export interface Given { count: number }\n',
    'taken.ts': "import type { Given } from './given.ts';\n\nexport const taken: Given = { count: 'one' };\n",
    'other.ts': "export const other: number = 'none';\n",
    'project.json': JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, noLib: true, allowImportingTsExtensions: true },
      files: ['given.ts', 'taken.ts', 'other.ts'],
    }),
    'empty.json': JSON.stringify({ files: ['other.ts'] }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const place = { root, projects: ['project.json', 'empty.json'] };
  expect(await typeErrors(['given.ts', 'taken.ts', 'removed.ts'], place)).toEqual([
    "taken.ts:3 TS2322: Type 'string' is not assignable to type 'number'.",
  ]);
  expect(await typeErrors(['given.ts'], place)).toEqual([]);
  rmSync(root, { recursive: true });
});
