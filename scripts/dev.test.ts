import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { servedPages } from '../src/app/served-pages.ts';
import { startServing } from '../testing/serving-command.ts';
import { freePort } from './embedded-postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'shala-dev-'));
let child: ChildProcess | undefined;

afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('`npm run dev` serves every page and the gallery of the kit at its address, with the client that reloads it on a change', {
  timeout: 120_000,
}, async () => {
  const port = await freePort();
  ({ child } = await startServing('dev', { folder, port }));
  const paths = servedPages.flatMap(({ paths }) => paths.map((path) => path.replace('*', 'academic/calendar')));
  for (const path of ['/', ...paths]) {
    const answer = await fetch(`http://localhost:${port}${path}?x=1`);
    const html = await answer.text();
    const script = path.startsWith('/admission') ? '/src/form.tsx' : '/src/browser.tsx';
    expect([path, answer.status, html.includes(script), html.includes('/@vite/client')]).toEqual([
      path,
      200,
      true,
      true,
    ]);
  }
  const gallery = await (await fetch(`http://localhost:${port}/dev/kit`)).text();
  expect(gallery).toContain('/src/kit.tsx');
  const closed = new Promise((done) => child?.once('exit', done));
  child?.kill('SIGTERM');
  expect(await closed).toBe(0);
});
