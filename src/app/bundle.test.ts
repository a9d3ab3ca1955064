import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formPages, mostLoaded, sizesOf } from '../../bench/sizes.ts';
import { buildFolder } from './server.ts';

const { manifest, withImports, scripts, styles, formView, shellView, areaPages } = sizesOf(buildFolder);

describe('what a phone loads', () => {
  test('the first view of /admission is at most 150 kB of script and 15 kB of style', () => {
    expect(formView.size).toBeGreaterThan(5);
    const sizes = { script: scripts(formView), style: styles(formView) };
    process.stdout.write(
      `First view of /admission: ${sizes.script.toFixed(1)} kB gz script, ${sizes.style.toFixed(1)} kB gz style\n`,
    );
    expect(sizes.script).toBeLessThanOrEqual(mostLoaded.form.script);
    expect(sizes.style).toBeLessThanOrEqual(mostLoaded.form.style);
    expect(sizes.style).toBeGreaterThan(0);
  });

  test.each(['ParentInfoPage', 'HealthPage', 'AdditionalInfoPage', 'SubmitPage'])('%s adds at most 25 kB', (page) => {
    const more = [...withImports(`${formPages}/${page}.tsx`)].filter((name) => !formView.has(name));
    expect(more.length).toBeGreaterThan(0);
    expect(scripts(more) + styles(more)).toBeLessThanOrEqual(25);
  });

  test('nothing of the shell, no font and no other host is in the form', () => {
    const all = new Set([
      ...formView,
      ...Object.keys(manifest)
        .filter((name) => name.includes('/admission/'))
        .flatMap((name) => [...withImports(name)]),
    ]);
    expect([...all].filter((name) => /browser\.html|sign-in|app\/router/.test(name))).toEqual([]);
    for (const name of all) {
      const { file = '', css = [] } = manifest[name] ?? {};
      for (const path of [file, ...css]) {
        const text = readFileSync(join(buildFolder, path), 'utf8');
        expect([path, text.match(/@font-face|\.woff|url\(["']?https?:|import\(["']https?:/)?.[0]]).toEqual([
          path,
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
    expect(sizes.script).toBeLessThanOrEqual(mostLoaded.shell.script);
    expect(sizes.style).toBeLessThanOrEqual(mostLoaded.shell.style);
    expect(sizes.style).toBeGreaterThan(0);
  });

  test.each(areaPages)('%s adds at most 60 kB', (page) => {
    const more = [...withImports(page)].filter((name) => !shellView.has(name));
    expect(more.length).toBeGreaterThan(0);
    expect(scripts(more) + styles(more)).toBeLessThanOrEqual(mostLoaded.area);
  });

  test('the pages measured are those of the shell', () => {
    expect(areaPages).toEqual(
      expect.arrayContaining(['src/features/audit/pages/AuditPage.tsx', 'src/features/account/pages/AccountsPage.tsx']),
    );
  });
});
