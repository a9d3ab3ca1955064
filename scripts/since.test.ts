import { expect, test } from 'vitest';
import { readGraph } from './module-graph.ts';
import { changedSince, chooseSince, commonFiles, namesDiffer, namesOf } from './since.ts';

const graph = readGraph();
const choose = (...changed: string[]) => chooseSince(changed, graph);

test('a change of a page runs its journeys and opens it, and calls no operation', () => {
  expect(choose('src/features/ticket/pages/TicketPage.tsx')).toEqual({
    unit: ['src/features/ticket/pages/Talk.test.tsx'],
    specs: ['e2e/pages.spec.ts', 'src/features/ticket/ticket.spec.ts'],
    rows: [],
    pages: ['ticket/ticket-entry/$ticketID'],
  });
});

test('a change of a page of the form opens all of them', () => {
  expect(choose('src/features/admission-form/pages/SubmitPage.tsx').pages).toContain('/admission4');
});

test('a change of a sheet opens the pages that use it', () => {
  expect(choose('src/features/ticket/pages/TicketPage.module.css').pages).toEqual(['ticket/ticket-entry/$ticketID']);
});

test('a change of a handler runs the server tests of its feature, its rows of the access matrix and its journeys', () => {
  const { unit, specs, rows, pages } = choose('src/features/homework/server/give.ts');
  expect(unit).toContain('src/app/matrix.test.ts');
  expect(unit).toContain('src/features/homework/server/homework.test.ts');
  expect(unit.filter((path) => path.endsWith('.tsx'))).toEqual([]);
  expect({ specs, rows, pages }).toEqual({
    specs: ['src/features/homework/homework.spec.ts'],
    rows: ['homework'],
    pages: [],
  });
});

test('a change that few features import runs their tests, one that many import those that import it', () => {
  const few = choose('src/features/subject/api.ts');
  expect(few.rows).toContain('subject');
  const { unit, rows } = choose('src/features/student/server/person/record.ts');
  expect(rows).toEqual(['student']);
  expect(unit).toContain('src/features/fee-money/server/correction.test.ts');
  expect(unit).not.toContain('src/features/fee-price/server/structure/structure.test.ts');
});

test('a changed test runs, whatever its folder', () => {
  expect(choose('src/app/pages.test.ts', 'e2e/shell.spec.ts')).toEqual({
    unit: ['src/app/pages.test.ts'],
    specs: ['e2e/shell.spec.ts'],
    rows: [],
    pages: [],
  });
});

test.each([
  'src/kit/contract/field.ts',
  'src/access/contract/grants.ts',
  'src/app/menu.ts',
  'database/migrations/202611010000_a.sql',
  'testing/school.ts',
  'package-lock.json',
  'vitest.config.ts',
])('a change of %s needs the whole suite', (path) => {
  expect(commonFiles(['src/features/tag/server/tag.ts', path])).toEqual([path]);
});

test('a change of a feature, a test, a catalogue or a paper needs no whole suite', () => {
  const paths = [
    'src/features/tag/contract/tag.ts',
    'src/app/menu.test.ts',
    'src/locales/form/en.po',
    'docs/a.txt',
    'README.md',
  ];
  expect(commonFiles(paths)).toEqual([]);
});

test('the changed files are unknown since a revision that git does not have', () => {
  expect(changedSince('no-such-revision')).toBeUndefined();
  expect(changedSince('HEAD')).toEqual(expect.any(Array));
});

test('a change of what a module imports or exports changes its names, one of its functions does not', () => {
  const module = (names: string, body: string) =>
    `import {\n  ${names},\n} from './a.ts';\n\nexport function work({ at }: Moment) {\n  ${body};\n}\nexport { b } from './b.ts';\n`;
  const before = namesOf(module('one, two', 'return one'));
  expect(namesOf(module('one, two', 'return two(at)'))).toBe(before);
  expect(namesOf(module('one', 'return one'))).not.toBe(before);
  expect(namesOf(`${module('one, two', 'return one')}export const more = 1;\n`)).not.toBe(before);
  expect(namesOf(module('one, two', "return import('./c.ts')"))).not.toBe(before);
  expect(namesDiffer('HEAD', ['src/features/no-such/api.ts'])).toBe(true);
  expect(namesDiffer('HEAD', ['README.md'])).toBe(false);
});
