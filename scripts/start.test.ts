import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servedPages } from '../src/app/served-pages.ts';
import { startServing } from '../testing/serving-command.ts';
import { soak } from '../testing/soak.ts';
import { freePort } from './embedded-postgres.ts';

let folder: string;
let port: number;
const started: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shala-start-'));
  port = await freePort();
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const command = await startServing('start', { folder, port });
  started.push(command.child);
  return command;
}

const health = () =>
  fetch(`http://localhost:${port}/readyz`).then(
    ({ status }) => status,
    () => 'away',
  );
const databasePid = () => Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('one command serves a demo school, says where its forms are, and SIGTERM stops all of it', async () => {
  const { child, output } = await start();
  expect(await health()).toBe(200);
  const { baseUrl, inquiries, accounts } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
  expect(baseUrl).toBe(`http://localhost:${port}`);
  expect(accounts.map(({ role }: { role: string }) => role)).toEqual(['Admin', 'Staff', 'Staff', 'Staff', 'Staff']);
  const [{ userName, password }] = accounts;
  const signIn = await fetch(`${baseUrl}/api/sign-in/authenticate-user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password }),
  });
  expect(await signIn.json()).toMatchObject([{ isSuccess: true, otPval: '' }]);
  expect(inquiries.length).toBeGreaterThanOrEqual(8);
  expect(new Set(inquiries.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['untouched', 'consent needed', 'half filled', 'ready to submit', 'submitted', 'expired', 'revoked']),
  );
  for (const { link } of inquiries) expect(output()).toContain(link);
  expect(output()).toMatch(/WARNING: [A-Z0-9]/);
  expect((await fetch(inquiries[0].link)).status).toBe(200);

  const database = databasePid();
  child.kill('SIGTERM');
  expect(await new Promise((done) => child.once('exit', done))).toBe(0);
  expect([await health(), isAlive(database)]).toEqual(['away', false]);
});

test('`npm run dev` serves every page and the gallery of the kit at its address, with the client that reloads it on a change', async () => {
  const { child } = await startServing('dev', { folder, port });
  started.push(child);
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
  const closed = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  expect(await closed).toBe(0);
});

soak(
  'a starter that is killed leaves neither server nor database behind, and the next start finds everything',
  async () => {
    const { child } = await start();
    const database = databasePid();
    child.kill('SIGKILL');
    await expect.poll(async () => [await health(), isAlive(database)]).toEqual(['away', false]);
    const again = await start();
    expect(await health()).toBe(200);
    again.child.kill('SIGINT');
    expect(await new Promise((done) => again.child.once('exit', done))).toBe(0);
  },
);
