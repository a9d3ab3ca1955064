import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { otherMonths } from '#kit/contract/months.ts';
import { mostLoaded, mostOfForm, sizesOf } from '../../bench/sizes.ts';
import { buildFolder } from './server.ts';

const { form, formView, laterPages, family, familyView, shell, shellView, areaPages, onDemand } = sizesOf(buildFolder);

describe('what a phone loads', () => {
  test('the first view of /admission is at most 150 kB of script and 15 kB of style', () => {
    const sizes = { script: form.scripts(formView), style: form.styles(formView) };
    process.stdout.write(
      `First view of /admission: ${sizes.script.toFixed(1)} kB gz script, ${sizes.style.toFixed(1)} kB gz style\n`,
    );
    expect(sizes.script).toBeLessThanOrEqual(mostLoaded.form.script);
    expect(sizes.style).toBeLessThanOrEqual(mostLoaded.form.style);
    expect(sizes.script).toBeGreaterThan(0);
    expect(sizes.style).toBeGreaterThan(0);
  });

  test('scripts and styles leave the rest of the first view of /admission 6 of its 10 requests and 11 of its 135 kB, and 8 kB for a language', () => {
    // The page, the icon, the logo and three answers, each with its headers, and those of script and style.
    const rest = { requests: 6, kilobytes: 11 + 8 };
    const files = [...form.scriptFiles(formView), ...form.styleFiles(formView)];
    expect(files.length).toBeLessThanOrEqual(mostOfForm.requests - rest.requests);
    expect(form.transferred(formView)).toBeLessThanOrEqual(mostOfForm.kilobytes - rest.kilobytes);
  });

  test('the first page comes with the form, and every later one is measured', () => {
    const names = laterPages.map((page) => basename(page, '.tsx'));
    expect(names).not.toContain('BasicInfoPage');
    expect(names).toEqual(
      expect.arrayContaining(['ParentInfoPage', 'HealthPage', 'AdditionalInfoPage', 'SubmitPage', 'ConsentPage']),
    );
  });

  test.each(laterPages)('%s adds at most two scripts and 25 kB', (page) => {
    const more = [...form.withImports(page)].filter((name) => !formView.has(name));
    expect(more.length).toBeGreaterThan(0);
    expect(more.length).toBeLessThanOrEqual(2);
    expect(form.scripts(more) + form.styles(more)).toBeLessThanOrEqual(25);
  });

  test('N12.6 the family page is at most 45 kB of script and style in two files', () => {
    const files = [...family.scriptFiles(familyView), ...family.styleFiles(familyView)];
    const size = family.scripts(familyView) + family.styles(familyView);
    process.stdout.write(`Family page: ${size.toFixed(1)} kB gz of script and style in ${files.length} files\n`);
    expect(files).toHaveLength(2);
    expect(size).toBeGreaterThan(10);
    expect(size).toBeLessThanOrEqual(mostLoaded.family);
  });

  test.each(['gu', 'hi'])('LG08 the family page in %s has one file more and is at most 45 kB', (language) => {
    const words = [...family.withImports(`src/words/family-${language}.ts`)].filter((name) => !familyView.has(name));
    const whole = [...familyView, ...words];
    const size = family.scripts(whole) + family.styles(whole);
    process.stdout.write(`Family page in ${language}: ${size.toFixed(1)} kB gz of script and style\n`);
    expect([...family.scriptFiles(whole), ...family.styleFiles(whole)]).toHaveLength(3);
    expect(size).toBeLessThanOrEqual(mostLoaded.family);
  });

  test('the form and the family page bring the months of every language', () => {
    for (const [page, view] of [
      [form, formView],
      [family, familyView],
    ] as const) {
      const scripts = page.scriptFiles(view).map((name) => readFileSync(join(buildFolder, name), 'utf8'));
      expect(
        Object.values(otherMonths)
          .flat()
          .filter((month) => !scripts.join().includes(month)),
      ).toEqual([]);
    }
  });

  test('the family page loads later what its guardian opens, each at most 20 kB', () => {
    const later = Object.keys(family.manifest).filter(
      (name) => family.manifest[name]?.isDynamicEntry && !name.startsWith('src/words/'),
    );
    expect(later.sort()).toEqual([
      'src/features/announcement/ui/FamilyAsk.tsx',
      'src/features/attendance/ui/FamilyLeave.tsx',
      'src/features/family/pages/ProveDialog.tsx',
      'src/features/family/ui/FamilyOwn.tsx',
      'src/features/family/ui/FamilyPhones.tsx',
      'src/features/meeting/ui/FamilyMeeting.tsx',
      'src/features/online-payment/ui/FamilyPayBlock.tsx',
      'src/features/year-end/ui/FamilyQuestion.tsx',
    ]);
    for (const name of later) {
      const more = [...family.withImports(name)].filter((one) => !familyView.has(one));
      expect([name, family.scripts(more) + family.styles(more) <= 20]).toEqual([name, true]);
    }
  });

  test('the family page has no schema, and not their package', () => {
    for (const path of family.scriptFiles(Object.keys(family.manifest)))
      expect([path, readFileSync(join(buildFolder, path), 'utf8').includes('_zod')]).toEqual([path, false]);
  });

  test('nothing of the shell, no font and no other host is in the form and the family page', () => {
    const [all, ofFamily] = [Object.keys(form.manifest), Object.keys(family.manifest)];
    const scripts = [...form.scriptFiles(all), ...family.scriptFiles(ofFamily)];
    for (const path of [...scripts, ...form.styleFiles(all), ...family.styleFiles(ofFamily)]) {
      const text = readFileSync(join(buildFolder, path), 'utf8');
      const foreign = /mantine|school-erp|@font-face|\.woff|url\(["']?https?:|import\(["']https?:/;
      expect([path, text.match(foreign)?.[0]]).toEqual([path, undefined]);
    }
  });
});

describe('what an old PC loads', () => {
  test('the first view of the shell is at most 185 kB of script and 40 kB of style', () => {
    expect(shellView.size).toBeGreaterThan(2);
    const sizes = { script: shell.scripts(shellView), style: shell.styles(shellView) };
    process.stdout.write(
      `First view of /school-erp: ${sizes.script.toFixed(1)} kB gz script, ${sizes.style.toFixed(1)} kB gz style\n`,
    );
    expect(sizes.script).toBeLessThanOrEqual(mostLoaded.shell.script);
    expect(sizes.style).toBeLessThanOrEqual(mostLoaded.shell.style);
    expect(sizes.style).toBeGreaterThan(0);
  });

  test.each(areaPages)('%s adds at most 74 kB', (page) => {
    const more = [...shell.withImports(page)].filter((name) => !shellView.has(name));
    expect(more.length).toBeGreaterThan(0);
    expect(shell.scripts(more) + shell.styles(more)).toBeLessThanOrEqual(mostLoaded.area);
  });

  test.each(onDemand)('%s, loaded when something is opened, adds at most 162 kB', (library) => {
    const more = [...shell.withImports(library)].filter((name) => !shellView.has(name));
    expect(shell.scripts(more) + shell.styles(more)).toBeLessThanOrEqual(mostLoaded.onDemand);
  });

  test('the pages measured are those of the shell', () => {
    expect(areaPages).toEqual(
      expect.arrayContaining(['src/features/audit/pages/AuditPage.tsx', 'src/features/account/pages/AccountsPage.tsx']),
    );
  });
});

const programs = globSync('src/kit/server/work/*-work.ts').map((file) => basename(file, '.ts'));

test.each(programs)('the program %s is built, and says that it is ready', (name) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(buildFolder, 'work', `${name}.js`)], {
    input: '',
  });
  expect([stderr.toString(), status]).toEqual(['', 0]);
  // The frame of an answer without content; the program that starts the others answers over its channel.
  expect(stdout).toEqual(name === 'start-work' ? Buffer.alloc(0) : Buffer.alloc(5));
});
