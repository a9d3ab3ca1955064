import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildFolder } from './server.ts';

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  isDynamicEntry?: boolean;
  dynamicImports?: string[];
}

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(buildFolder, '.vite/manifest.json'), 'utf8'));
const pages = 'src/features/admission/pages';

/** A chunk and everything it needs before it can run. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, found);
  return found;
}

const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(buildFolder, file)), { level: 9 }).length, 0) /
  1000;
const scripts = (names: Iterable<string>) => kilobytes([...names].map((name) => manifest[name]?.file ?? ''));
const styles = (names: Iterable<string>) => kilobytes(new Set([...names].flatMap((name) => manifest[name]?.css ?? [])));

const firstView = new Set([...withImports('form.html'), ...withImports(`${pages}/BasicInfoPage.tsx`)]);

const shellView = new Set([...withImports('browser.html'), ...withImports('src/app/shell/ShellRoute.tsx')]);
/** Every page behind the shell and around it, those of areas to come included. */
const areaPages = Object.keys(manifest).filter(
  (name) => manifest[name]?.isDynamicEntry && !shellView.has(name) && !name.startsWith(pages),
);

describe('what a phone loads', () => {
  test('the first view of /admission is at most 150 kB of script and 15 kB of style', () => {
    expect(firstView.size).toBeGreaterThan(5);
    const sizes = { script: scripts(firstView), style: styles(firstView) };
    process.stdout.write(
      `First view of /admission: ${sizes.script.toFixed(1)} kB gz script, ${sizes.style.toFixed(1)} kB gz style\n`,
    );
    expect(sizes.script).toBeLessThanOrEqual(150);
    expect(sizes.style).toBeLessThanOrEqual(15);
    expect(sizes.style).toBeGreaterThan(0);
  });

  test.each(['ParentInfoPage', 'HealthPage', 'AdditionalInfoPage', 'SubmitPage'])('%s adds at most 25 kB', (page) => {
    const more = [...withImports(`${pages}/${page}.tsx`)].filter((name) => !firstView.has(name));
    expect(more.length).toBeGreaterThan(0);
    expect(scripts(more) + styles(more)).toBeLessThanOrEqual(25);
  });

  test('nothing of the shell, no font and no other host is in the form', () => {
    const all = new Set([
      ...firstView,
      ...Object.keys(manifest)
        .filter((name) => name.includes('/admission/'))
        .flatMap((name) => [...withImports(name)]),
    ]);
    expect([...all].filter((name) => /browser\.html|sign-in|app\/router/.test(name))).toEqual([]);
    for (const name of all) {
      const { file = '', css = [] } = manifest[name] ?? {};
      for (const one of [file, ...css]) {
        const text = readFileSync(join(buildFolder, one), 'utf8');
        expect([one, text.match(/@font-face|\.woff|url\(["']?https?:|import\(["']https?:/)?.[0]]).toEqual([
          one,
          undefined,
        ]);
      }
    }
  });
});

describe('what an old PC loads', () => {
  test('the first view of the shell is at most 260 kB of script and 40 kB of style', () => {
    expect(shellView.size).toBeGreaterThan(5);
    const sizes = { script: scripts(shellView), style: styles(shellView) };
    process.stdout.write(
      `First view of /school-erp: ${sizes.script.toFixed(1)} kB gz script, ${sizes.style.toFixed(1)} kB gz style\n`,
    );
    expect(sizes.script).toBeLessThanOrEqual(260);
    expect(sizes.style).toBeLessThanOrEqual(40);
    expect(sizes.style).toBeGreaterThan(0);
  });

  test.each(areaPages)('%s adds at most 60 kB', (page) => {
    const more = [...withImports(page)].filter((name) => !shellView.has(name));
    expect(more.length).toBeGreaterThan(0);
    expect(scripts(more) + styles(more)).toBeLessThanOrEqual(60);
  });

  test('the pages measured are those of the shell', () => {
    expect(areaPages).toEqual(
      expect.arrayContaining(['src/features/audit/pages/AuditPage.tsx', 'src/features/sign-in/pages/AccountsPage.tsx']),
    );
  });
});
