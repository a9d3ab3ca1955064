import { execFileSync, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { soak } from '../testing/soak.ts';

const root = join(import.meta.dirname, '..');
const planted = join(root, 'testing/planted-feature');
let copy: string;

/** Tests of the whole product that need no child process, which may not read the linked packages of the copy. */
const wholes = ['body-kinds.test.ts', 'long-input.test.ts', 'matrix.test.ts'];
/** Tests that read manifests and examples, and those of them that a feature adds to. */
const readers = ['audit-words', 'openings', 'outdated-messages', 'pages', 'reported'].map((name) => `${name}.test.ts`);
const added = 'P9\\.9|club|area|counts its opening|has an example|is drawn|each export';

// A copy of the product to which the feature adds its folder, its migration and one line for each side.
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'shala-planted-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  rmSync(join(copy, 'testing/planted-feature'), { recursive: true });
  const migration = '209901010000_club.sql';
  cpSync(join(planted, 'club'), join(copy, 'src/features/club'), { recursive: true });
  cpSync(join(planted, migration), join(copy, 'database/migrations', migration));
  name('server.ts', '#features/club/server/feature.ts');
  name('browser.tsx', '#features/club/pages/feature.tsx');
  plantLanguage();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function name(side: string, manifest: string) {
  const file = join(copy, 'src/app', `features.${side}`);
  const text = readFileSync(file, 'utf8').replace(/(export const features[^=]*= \[)/, '$1club, ');
  writeFileSync(file, `import { club } from '${manifest}';\n${text}`);
}

/** Adds a language: its row, the version of its notice, and catalogues, whose words are those of Gujarati after a mark. */
function plantLanguage() {
  const row = "  xx: { name: 'Planted words', inEnglish: 'Planted', plural: upToOne },\n";
  change('src/kit/contract/languages.ts', /^(?=\} as const)/m, row);
  change('src/features/admission-form/contract/consent.ts', /(noticeVersions = \{[^}]*) \}/, "$1, xx: '2026-12-31' }");
  for (const file of globSync('src/locales/**/gu.po', { cwd: copy })) {
    const [head = '', ...entries] = readFileSync(join(copy, file), 'utf8').split(/\n{2,}/);
    const marked = entries.map((entry) => entry.replace(/^msgstr "(?!"$(?!\n"))/m, 'msgstr "«'));
    writeFileSync(
      join(copy, file.replace(/gu\.po$/, 'xx.po')),
      [head.replace('Language: gu', 'Language: xx'), ...marked].join('\n\n'),
    );
  }
  for (const [file, folder] of [
    ['language.test.ts', 'server'],
    ['switch.test.tsx', 'pages'],
  ] as const)
    cpSync(join(planted, 'language', file), join(copy, 'src/features/admission-form', folder, `planted-${file}`));
}

function change(file: string, what: RegExp, to: string) {
  const before = readFileSync(join(copy, file), 'utf8');
  const after = before.replace(what, to);
  if (after === before) throw new Error(`${file} has no place for a language.`);
  writeFileSync(join(copy, file), after);
}

/** Runs a program in the copy; returns its output if it failed. */
async function run(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, words, {
    cwd: copy,
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), DATABASE_URL: inject('postgres').url },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      printed += text;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  return code === 0 ? '' : printed;
}

test('a planted feature is part of the product with its two lines, and its matrix and examples name its parts', async () => {
  const check = `
    const { features } = await import('./src/app/features.server.ts');
    const { allRoutes } = await import('./src/app/server.ts');
    const { matrix } = await import('./testing/matrix.ts');
    const names = allRoutes.map(({ endpoint: { method, path } }) => method + ' ' + path);
    const own = names.filter((name) => name.includes(' /club'));
    const wrong = names.filter((name) => !matrix[name]);
    const club = features.find(({ cards }) => cards.some(({ title }) => title.id === 'Planted meetings'));
    if (own.length < 20 || wrong.length > 0 || !club) throw new Error(JSON.stringify({ own, wrong }));
    const { examples } = await import('./src/features/club/examples.ts');
    const { opensNothing } = await import('./testing/matrix.ts');
    const exports = Object.keys(examples.exports);
    const missing = [
      ...Object.keys(club.messages).filter((name) => !examples.messages[name]),
      ...exports.filter((name) => !own.includes(name) || matrix[name].isNameless),
      ...Object.entries(club.auditWords.records).flatMap(([entity, { area }]) => (area ? [] : [entity])),
      ...(opensNothing.has('GET /club-meeting/:id/record') ? [] : ['opensNothing']),
    ];
    if (missing.length > 0 || exports.length === 0 || club.familyParts[0].key !== 'club') throw new Error(missing.join());`;
  expect(await run('--input-type=module', '--eval', check)).toBe('');
});

const vitest = (...words: string[]) =>
  run('node_modules/vitest/vitest.mjs', 'run', '--project', 'works', '--project', 'alone', ...words);
const inApp = (names: string[]) => names.map((name) => `src/app/${name}`);

test('a planted feature passes its own tests', async () => {
  expect(await vitest('src/features/club')).toBe('');
});

test('LG20 a planted language is offered, switched to, and written in messages and on papers, by its rows and its catalogues alone', async () => {
  const files = "import('./scripts/word-files.ts').then(({ addWordFiles }) => addWordFiles(process.cwd()))";
  expect(await run('--eval', files)).toBe('');
  expect(await vitest('--project', 'components', 'planted-language', 'planted-switch')).toBe('');
});

soak('a planted feature passes the tests that read its manifest and examples', async () => {
  expect(await vitest(...inApp(readers), '-t', added)).toBe('');
});

soak('a planted feature passes walks of the whole product', async () => {
  // A picture is read by a child process, which may not read the linked packages of the copy.
  expect(await vitest(...inApp(wholes), '-t', '^(?!.*/photo )')).toBe('');
});

soak('the texts of a planted feature are collected', async () => {
  expect(await run('scripts/text.ts')).toBe('');
  const catalogue = (folder: string) => readFileSync(join(copy, 'src/locales', folder, 'en.po'), 'utf8');
  expect(catalogue('text')).toContain('Planted clubs, such as chess.');
  expect(catalogue('text')).toContain('Planted Club List');
  expect(catalogue('feature/club')).toContain('Planted clubs meet on Fridays.');
});
