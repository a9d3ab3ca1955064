import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runApart } from './apart.ts';

const root = join(import.meta.dirname, '..');
const apart = JSON.stringify(join(import.meta.dirname, 'apart.ts'));
let folder: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-apart-'));
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A script that runs this work in a child process. */
function script(name: string, work: string) {
  const path = join(folder, `${name}.ts`);
  writeFileSync(path, `import { workApart } from ${apart};\nawait workApart(async () => {\n${work}\n});\n`);
  return path;
}

test('W23 work that is done apart is done in another process, which has ended by then', async () => {
  const pid = join(folder, 'done.pid');
  await runApart(
    script('done', `(await import('node:fs')).writeFileSync(${JSON.stringify(pid)}, String(process.pid));`),
  );
  const other = Number(readFileSync(pid, 'utf8'));
  expect(other).not.toBe(process.pid);
  expect(isAlive(other)).toBe(false);
});

test('W23 work that fails apart is told in the words it failed with', async () => {
  const words = 'Could not resolve "./absent.ts"\nin src/form.tsx';
  await expect(runApart(script('fails', `throw new Error(${JSON.stringify(words)});`))).rejects.toThrow(words);
  await expect(runApart(script('killed', `process.kill(process.pid, 'SIGKILL');`))).rejects.toThrow(
    'Its process was stopped.',
  );
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'W23 work that is under way apart ends with its starter, by %s',
  async (signal) => {
    const pid = join(folder, `${signal}.pid`);
    const hangs = script(
      `hangs-${signal}`,
      `(await import('node:fs')).writeFileSync(${JSON.stringify(pid)}, String(process.pid)); await new Promise((go) => setTimeout(go, 600_000));`,
    );
    const starter = spawn(process.execPath, [
      '--input-type=module-typescript',
      '-e',
      `import { runApart } from ${apart}; await runApart(${JSON.stringify(hangs)});`,
    ]);
    started.push(starter);
    await expect.poll(() => existsSync(pid) && readFileSync(pid, 'utf8')).toBeTruthy();
    starter.kill(signal);
    await expect.poll(() => isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false);
  },
);

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: Record<string, string> };

/** The file that a name in an import stands for; undefined for a package. */
function fileOf(name: string, importer: string) {
  if (name.startsWith('.')) return join(dirname(importer), name);
  const [alias, place = ''] = Object.entries(imports).find(([key]) => name.startsWith(key.slice(0, -1))) ?? [];
  return alias && join(root, place.slice(0, -1), name.slice(alias.length - 1));
}

/** Every file and package that a process which runs `entry` may load, at its start or later. */
function loadedBy(entry: string) {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const follow = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?!import type).*?(?:from |import\(?\s?)'([^']+)'/gm,
    )) {
      const next = fileOf(name, file);
      if (next) follow(next);
      else packages.add(name);
    }
  };
  follow(join(root, entry));
  return { files: [...files].map((file) => relative(root, file)), packages };
}

test.each(['scripts/start.ts', 'src/server.ts', 'scripts/test.ts', 'scripts/bench.ts'])(
  'W23 a process that runs %s loads no part of the build',
  (entry) => {
    const { files, packages } = loadedBy(entry);
    expect([...packages].filter((name) => /^(vite|rolldown|@rolldown|@vitejs|@babel|@lingui)/.test(name))).toEqual([]);
    expect(files).not.toContain('scripts/build-pages.ts');
    if (entry === 'scripts/start.ts') {
      expect(files).toEqual(expect.arrayContaining(['scripts/build.ts', 'src/app/server.ts']));
      expect(packages).toContain('fastify');
    }
  },
);
