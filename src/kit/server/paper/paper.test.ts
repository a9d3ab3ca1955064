import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { text, verbatim } from '#kit/contract/text.ts';
import { paperProcesses } from '#testing/paper-process.ts';
import { pagesOf, piecesOf } from '#testing/pdf.ts';
import { soak } from '#testing/soak.ts';
import { makePaper as makeFor, type Paper, sheet } from './paper.ts';

const makePaper = (values: Paper) => makeFor(sheet, values, { owner: 'account:1' });

const paper = (over: Partial<Paper> = {}): Paper => ({
  head: { name: 'Teak Tree School', lines: ['Jivan Trust', 'Near Law Garden, Ahmedabad'], principal: '' },
  title: text`Class list`,
  facts: [[text`Year`, '2026-27']],
  table: {
    heads: [text`No.`, text`Name`],
    rows: [['1', 'Asha Shah']],
  },
  made: text`Made on 23 Nov 2026 by Kiran`,
  signatures: [{ who: text`Principal` }],
  ...over,
});
const rowsOf = (...names: string[]) => ({
  heads: [text`No.`, text`Name`],
  rows: names.map((name, index) => [String(index + 1), name]),
});

/** Each glyph drawn on the first page, by its letters; and the file's metadata. */
async function look(bytes: Buffer) {
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const { fnArray, argsArray } = await (await file.getPage(1)).getOperatorList();
  const shown = argsArray.filter((_, index) => fnArray[index] === OPS.showText);
  const glyphs = shown.flatMap(([signs]: [{ unicode?: string }[]]) => signs.map(({ unicode }) => unicode));
  return { glyphs, info: (await file.getMetadata()).info };
}
/** The letters, sorted, since vowel signs before a consonant change the order. */
const letters = (text: string) => [...text.replaceAll(/\s/g, '')].sort().join('');

test('a paper says whose it is, what it is, and all of its table', async () => {
  const logo = await sharp({ create: { width: 30, height: 20, channels: 4, background: '#14a' } })
    .png()
    .toBuffer();
  const { head, ...rest } = paper();
  const bytes = await makePaper({ ...rest, head: { ...head, logo } });
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(1);
  expect(letters(pages[0] ?? '')).toBe(
    letters(
      'Teak Tree School Jivan Trust Near Law Garden, Ahmedabad Class list Year: 2026-27 No. Name 1 Asha Shah ' +
        'Made on 23 Nov 2026 by Kiran Principal Page 1 of 1',
    ),
  );
  expect((await look(bytes)).info).toMatchObject({ Title: 'Class list', Author: 'Teak Tree School', Language: 'en' });
});

test.each([
  ['Gujarati', 'ક્ષત્રિય વિદ્યાર્થી', ['ક્ષ']],
  ['Devanagari', 'श्रीमती क्षत्रिय', ['क्ष']],
  ['Latin with marks, and money', 'Mīra Ñandó Ācārya – “A” ₹ 1,500', ['ī', '₹']],
])('names in %s are set whole, with their conjuncts', async (_script, name, joined) => {
  const bytes = await makePaper(paper({ table: rowsOf(name, `A ${name} B`) }));
  const all = (await pagesOf(bytes)).join('');
  const { glyphs } = await look(bytes);
  expect(all.split(name)).toHaveLength(3);
  for (const conjunct of joined) expect(glyphs).toContain(conjunct);
});

soak('a long paper has its heads and number on every page, and nobody is lost or told twice', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `Child-${index + 1}`);
  const pages = await pagesOf(await makePaper(paper({ table: rowsOf(...names) })));
  expect(pages.length).toBeGreaterThan(8);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain('Name');
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
  }
  expect(pages.join(' ').match(/Child-\d+/g)).toEqual(names);
});

test('what is longer than its column goes on below, and neither a hyphen nor a sign is added to it', async () => {
  const number = 'GR/2026-27/000012345';
  const name = 'Jayeshkumar Ācārya (ગુજરાતી)';
  const heads = Array.from({ length: 12 }, (_, column) => verbatim(`Column ${column + 1}`));
  const rows = [heads.map((_, column) => (column % 2 ? name : number))];
  const bytes = await makePaper(paper({ table: { heads, rows }, signatures: [] }));
  const [page = []] = await piecesOf(bytes);
  const all = page.filter(({ str }) => str.trim());
  const heightOf = (words: string) => Number(all.find(({ str }) => str.startsWith(words))?.y);
  const parts = all.filter(({ y }) => y <= heightOf('Column') && y > heightOf('Made'));
  const starts = parts.filter(({ str }) => str.startsWith('Column')).map(({ x }) => x);
  expect(starts).toHaveLength(12);
  const columns = starts.map((start, index) =>
    parts.filter(({ x }) => x >= start - 1 && x < (starts[index + 1] ?? 842) - 1),
  );
  const said = (index: number) => (columns[index] ?? []).map(({ str }) => str.replaceAll(' ', '')).join('');
  expect(said(4)).toBe(`Column5${number}`);
  expect(said(5)).toBe(`Column6${name.replaceAll(' ', '')}`);
  // No text overlaps the next column.
  for (const [index, column] of columns.entries())
    for (const { x, width } of column) expect(x + width).toBeLessThan((starts[index + 1] ?? 810) + 1);
});

test('a text of several lines in a table is as high as they are, and the next row is below it', async () => {
  const rows = [
    ['Address', '12, Shanti Niketan\nEllisbridge\nAhmedabad 380006'],
    ['Father', 'Nilesh Shah'],
  ];
  const bytes = await makePaper(paper({ table: { heads: [text`Field`, text`Value`], rows } }));
  const [page = []] = await piecesOf(bytes);
  const heightOf = (words: string) => Number(page.find(({ str }) => str.startsWith(words))?.y);
  const heights = ['12, Shanti', 'Ellisbridge', 'Ahmedabad 380006', 'Father'].map(heightOf);
  for (const [index, height] of heights.slice(1).entries()) expect((heights[index] ?? 0) - height).toBeGreaterThan(10);
});

test('where words are too wide for a page, the longest of them alone is broken', async () => {
  const heads = [
    'Name',
    'Employee',
    'Designation',
    'Department',
    'Staff category',
    'Branch',
    'Mobile',
    'Email address',
  ];
  const more = ['Joining', 'Sections', 'Documents', 'Account', 'Status'];
  const row = heads.concat(more).map((_, column) => (column === 0 ? 'Thiruvananthapuram'.repeat(4) : '9825012345'));
  const table = { heads: heads.concat(more).map(verbatim), rows: [row] };
  const [page = []] = await piecesOf(await makePaper(paper({ table, signatures: [] })));
  const pieces = page.map(({ str }) => str.trim());
  for (const word of heads.concat(more).flatMap((head) => head.split(' '))) expect(pieces.join(' ')).toContain(word);
  expect(pieces.filter((words) => words === '9825012345')).toHaveLength(12);
});

test('a paper that cannot be set says so, and the next one is set', async () => {
  const broken = paper({ head: { name: 'School', lines: null as unknown as string[], principal: '' } });
  await expect(makePaper(broken)).rejects.toThrow();
  expect(await pagesOf(await makePaper(paper()))).toHaveLength(1);
});

/** Texts of a page from top to bottom. */
async function textsOf(bytes: Buffer, number: number) {
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const { items } = await (await file.getPage(number)).getTextContent();
  const shown = items.flatMap((item) => ('str' in item && item.str.trim() ? [item] : []));
  return shown.toSorted((one, other) => Number(other.transform[5]) - Number(one.transform[5]));
}

test('a heading of facts stays with the first of them, and each page has its foot', async () => {
  const { table: _, ...rest } = paper({ foot: verbatim('INQ/2026-27/00042'), signatures: [] });
  // Of so many lengths, some heading would come last on its page.
  const sections = Array.from({ length: 40 }, (_, index) => ({
    title: verbatim(`Section-${index}`),
    groups: [
      {
        title: verbatim(`Group-${index}`),
        facts: Array.from(
          { length: 1 + (index % 4) },
          (_, fact) => [verbatim(`Label-${fact}`), `Value\n${'next line\n'.repeat(fact)}end`] as const,
        ),
      },
    ],
  }));
  const bytes = await makePaper({ ...rest, sections });
  const pages = await pagesOf(bytes);
  expect(pages.length).toBeGreaterThan(4);
  for (const [index, page] of pages.entries()) {
    const texts = (await textsOf(bytes, index + 1)).map(({ str }) => str);
    expect(page).toContain('INQ/2026-27/00042');
    const content = texts.filter((words) => !/^(Page|INQ|Made)/.test(words));
    expect(content.at(-1)).toBe('end');
  }
  expect(pages.join(' ').match(/Section-\d+/g)).toEqual(sections.map((_, index) => `Section-${index}`));
});

test('a long fact is whole on two pages, and its label and value stay apart', async () => {
  const { table: _, ...rest } = paper({ signatures: [] });
  const said = Array.from({ length: 900 }, (_, index) => `w${index}`).join(' ');
  const label = verbatim('Which question is so long that it needs more than one line beside its answer?');
  const groups = [{ facts: [[label, said] as const] }];
  const bytes = await makePaper({ ...rest, sections: [{ title: verbatim('Health'), groups }] });
  const pages = await pagesOf(bytes);
  expect(pages).toHaveLength(2);
  expect(pages.join(' ').match(/w\d+/g)?.join(' ')).toBe(said);
  const items = await textsOf(bytes, 1);
  const start = Math.min(...items.filter(({ str }) => /^w\d/.test(str)).map(({ transform }) => Number(transform[4])));
  const question = items.filter(({ str }) => /question|needs|answer/.test(str));
  expect(question.length).toBeGreaterThan(1);
  for (const { transform, width } of question) expect(Number(transform[4]) + width).toBeLessThan(start);
  for (const { transform, width } of items) expect(Number(transform[4]) + width).toBeLessThan(595 - 30);
});

const caller = (owner: string) => {
  const gone = new AbortController();
  return { caller: { owner, signal: gone.signal }, leave: () => gone.abort() };
};
const named = (name: string) => paper({ title: verbatim(name) });

test('W16 one paper that many ask for at once is made once, and each gets it', async () => {
  const [before, seen] = [new Set(paperProcesses()), new Set<string>()];
  const watch = setInterval(() => {
    for (const pid of paperProcesses()) seen.add(pid);
  }, 20);
  const asked = Array.from({ length: 20 }, (_, index) =>
    makeFor(sheet, named('Same'), caller(`account:${index}`).caller),
  );
  const [first, ...others] = await Promise.all(asked);
  clearInterval(watch);
  expect(others.every((bytes) => bytes === first)).toBe(true);
  // The one that set it, unless an earlier paper's process did.
  expect([...seen].filter((pid) => !before.has(pid)).length).toBeLessThanOrEqual(1);
});

test('a paper whose process is killed is to be asked for again, and the next one is made', async () => {
  const long = makePaper(paper({ table: rowsOf(...Array.from({ length: 20_000 }, () => 'Child')) }));
  const killed = expect(long).rejects.toMatchObject({ code: 'unavailable' });
  await expect.poll(() => paperProcesses().length).toBeGreaterThan(0);
  for (const pid of paperProcesses()) process.kill(Number(pid), 'SIGKILL');
  await killed;
  expect(await pagesOf(await makePaper(paper()))).toHaveLength(1);
});

soak(
  'W16 a paper that waits is not made once all who asked for it have gone, and is while one of them waits',
  async () => {
    const [first, second, third] = [caller('account:1'), caller('account:2'), caller('account:3')];
    const ends: string[] = [];
    const ask = (name: string, by: typeof first) =>
      makeFor(sheet, named(name), by.caller).then(
        () => ends.push(`${name} made`),
        ({ code }) => ends.push(`${name} ${code}`),
      );
    const all = [
      ask('Running', first),
      ask('Left', second),
      ask('Left', third),
      ask('Wanted', second),
      ask('Wanted', caller('account:4')),
    ];
    second.leave();
    third.leave();
    await Promise.all(all);
    expect(ends.sort()).toEqual(['Left unavailable', 'Left unavailable', 'Running made', 'Wanted made', 'Wanted made']);
  },
);
