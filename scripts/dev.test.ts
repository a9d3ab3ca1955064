import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { servedPages } from '../src/app/served-pages.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'shala-dev-'));
let child: ChildProcess | undefined;

afterAll(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Listens on a port, 0 for any free one; undefined where it is taken. */
const listen = (port: number) =>
  new Promise<Server | undefined>((done) => {
    const probe = createServer().listen(port, '127.0.0.1', () => done(probe));
    probe.once('error', () => done(undefined));
  });

/** A free port whose next one is free too: the development server listens on both. */
async function findTwoPorts(): Promise<number> {
  const first = await listen(0);
  const { port } = (first?.address() ?? {}) as { port: number };
  const second = await listen(port + 1);
  for (const probe of [first, second]) await new Promise((done) => (probe ? probe.close(done) : done(undefined)));
  return second ? port : findTwoPorts();
}

test('`npm run dev` serves every page at its address, and reloads it on a change', { timeout: 120_000 }, async () => {
  const { DATABASE_URL: _, ...environment } = process.env;
  const port = await findTwoPorts();
  child = spawn(process.execPath, ['scripts/run.mjs', 'dev'], {
    cwd: root,
    env: { ...environment, NODE_ENV: '', SHALA_FOLDER: folder, PORT: String(port) },
  });
  let said = '';
  child.stdout?.on('data', (text) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 90_000 }).toContain('Ready on');
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
  const closed = new Promise((done) => child?.once('exit', done));
  child.kill('SIGTERM');
  expect(await closed).toBe(0);
});
