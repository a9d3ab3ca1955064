import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { english, type Text, text, verbatim } from '#kit/contract/text.ts';
import { paperMemory } from '#testing/paper-process.ts';
import { pagesOf, readStructure } from '#testing/pdf.ts';
import {
  type CardSheet,
  cardSheet,
  makePaper,
  openTemplate,
  type Paper,
  type PaperData,
  type PaperHead,
  type PaperTable,
  type Signature,
  sheet,
  slip,
  type Template,
} from './paper.ts';
import { type QrCode, qrCode } from './qr-code.ts';

type Fact = readonly [label: Text, value: string];

interface Receipt extends PaperData {
  copies: Text[];
  stamp?: Text;
  facts: Fact[];
  table: PaperTable;
  amount: Text;
  signatures: Signature[];
  code: QrCode;
}
interface Roll extends PaperData {
  facts: Fact[];
  amounts: Fact[];
  sum: Fact;
  amount: Text;
  code: QrCode;
}
interface Letter extends PaperData {
  photo: Uint8Array;
  name: string;
  paragraphs: Text[];
  facts: Fact[];
  signatures: Signature[];
  foot: Text;
}
interface Register extends PaperData {
  facts: Fact[];
  register: { heads: Text[]; rows: string[][]; shaded: number[] };
  signatures: Signature[];
}
const open = <Data extends PaperData>(name: string): Template<Data> =>
  openTemplate(new URL(`./gallery/${name}.typ`, import.meta.url));

const names = { English: 'Venkata Subrahmanyam', Gujarati: 'અંકિત આંબાવાડી', Hindi: 'श्रीमती कृष्णा क्षत्रिय' };
type Language = keyof typeof names;
const languages = Object.keys(names) as Language[];

let [head, photo]: [PaperHead, Buffer] = [{ name: '', lines: [], principal: '' }, Buffer.alloc(0)];
beforeAll(async () => {
  const pictureOf = (background: string, width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer();
  photo = await pictureOf('#987', 250, 321);
  const [logo, signature] = [await pictureOf('#146', 90, 90), await pictureOf('#ccd', 200, 60)];
  head = { name: 'Teak Tree', lines: ['Jivan Trust', 'Law Garden, Ahmedabad'], principal: '', logo, signature };
});

const signers = (): Signature[] => [{ who: text`Clerk` }, { who: text`Principal`, picture: head.signature }];
const say = verbatim;
const row = (name: string, index: number) => [String(index), name, '31 Jan 2016', '1,500.00'];

/** Each paper of the kit and each paper made of its parts, for somebody of this name. */
const papers: Record<string, (name: string) => { template: Template<never>; data: PaperData }> = {};
const add = <Data extends PaperData>(kind: string, template: Template<Data>, dataOf: (name: string) => Data) => {
  papers[kind] = (name) => ({ template: template as unknown as Template<never>, data: dataOf(name) });
};
const list = (name: string): Paper => ({
  head,
  title: text`List`,
  facts: [[text`Year`, '2026-27']],
  table: {
    heads: [text`No.`, text`Photo`, text`Name`, text`Amount`],
    rows: Array.from({ length: 30 }, (_, index) => [String(index), { picture: photo, name }, name, '1,500.00']),
    sums: ['', '', text`Total`, '45,000.00'],
    right: [3],
  },
  made: text`Printed on 26 Nov 2026 by Kiran`,
  signatures: signers(),
});
add('list', sheet, list);
const form = (name: string): Paper => ({
  ...list(name),
  table: undefined,
  sections: [{ title: text`Family`, groups: [{ title: text`Father`, facts: [[text`Name`, name]] }] }],
  foot: say('INQ/2026-27/00042'),
});
add('form', sheet, form);
const cards = (name: string): CardSheet => ({
  head,
  title: text`Identity card`,
  cards: [
    { name, picture: photo, facts: [[text`Contact`, name]] },
    { name, facts: [] },
  ],
  foot: text`If found, call 079 2646 1234`,
  notes: [],
});
add('cards', cardSheet, cards);
add('slip', slip, (name) => ({
  head,
  title: text`Fill in the form`,
  name,
  code: qrCode('https://x.example/a/1'),
  lines: [],
}));
add(
  'receipt',
  open<Receipt>('receipt'),
  (name): Receipt => ({
    head,
    title: text`Receipt`,
    copies: [text`Original`, text`Office copy`],
    stamp: text`Duplicate 2`,
    facts: [
      [text`No.`, 'SCH/26-27/04127'],
      [text`From`, name],
      [text`Date`, '26 Nov 2026'],
      [text`Mode`, 'Cash'],
    ],
    table: {
      heads: [text`No.`, text`For`, text`Due on`, text`Paid (₹)`],
      rows: [row(name, 1), row(name, 2)],
      sums: ['', text`Total`, '', '3,000.00'],
      right: [3],
    },
    amount: verbatim('Three thousand rupees only'),
    signatures: [{ who: text`Cashier` }],
    code: qrCode('SCH/26-27/04127 3000.00'),
  }),
);
add(
  'roll',
  open<Roll>('roll'),
  (name): Roll => ({
    head,
    title: text`Slip P-02144`,
    facts: [[text`From`, name]],
    amounts: [
      [say(name), '1,500.00'],
      [text`Fine, 42 days`, '500.00'],
    ],
    sum: [text`Paid`, '₹2,000.00'],
    amount: verbatim('Two thousand rupees only'),
    code: qrCode('P-02144'),
  }),
);
add(
  'letter',
  open<Letter>('letter'),
  (name): Letter => ({
    head,
    title: text`Certificate`,
    photo,
    name,
    paragraphs: [text`This is to certify that ${{ name }} is with us since 1 June 2021.`, text`Conduct: good.`],
    facts: [
      [text`Name`, name],
      [text`Born on`, '31 Jan 2016'],
    ],
    signatures: signers(),
    foot: say('BC/2026-27/0001'),
  }),
);
add(
  'register',
  open<Register>('register'),
  (name): Register => ({
    head,
    title: text`Register`,
    facts: [[text`Month`, 'November 2026']],
    register: {
      heads: [
        text`No.`,
        text`Name`,
        ...Array.from({ length: 30 }, (_, day) => say(`${day + 1}\nMo`)),
        text`P`,
        text`A`,
      ],
      rows: Array.from({ length: 45 }, (_, index) => [
        String(index + 1),
        index === 7 ? 'W'.repeat(50) : name,
        ...Array.from({ length: 30 }, () => 'P'),
        '30',
        '0',
      ]),
      shaded: [8, 15],
    },
    signatures: signers(),
  }),
);

/** `PAPERS=folder` keeps them, so that they can be looked at. */
const keep = (name: string, bytes: Buffer) => {
  const folder = process.env.PAPERS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.pdf`), bytes);
};

const kinds = ['list', 'form', 'cards', 'slip', 'receipt', 'roll', 'letter', 'register'];
test.each(kinds.flatMap((kind) => languages.map((language) => [kind, language] as const)))(
  'a %s is set in %s with title, language, headings and tags, and its text is copied as it was typed',
  async (kind, language) => {
    const name = names[language];
    const { template, data } = papers[kind]?.(name) ?? {};
    const bytes = await makePaper(template as Template<PaperData>, data as PaperData, { owner: 'account:1' });
    keep(`${kind}-${language}`, bytes);
    const { declares, isTagged, info, roles, alternatives } = await readStructure(bytes);
    expect([declares, isTagged]).toEqual(['PDF/UA-1', true]);
    expect(info).toMatchObject({ Title: data && english(data.title), Author: 'Teak Tree', Language: 'en' });
    expect(roles).toContain('H1');
    expect(alternatives.every((words) => words.trim() !== '')).toBe(true);
    // Between large letters pdfjs finds spaces that no other reader does.
    const bare = (words: string) => words.replaceAll(/\s+/g, '');
    expect(bare((await pagesOf(bytes)).join(''))).toContain(bare(name));
    if (['list', 'receipt', 'register'].includes(kind)) {
      expect(roles.filter((role) => role === 'TH').length).toBeGreaterThanOrEqual(4);
      expect(roles).toContain('TD');
    }
    if (kind === 'form') expect(roles).toEqual(expect.arrayContaining(['H1', 'H2', 'H3']));
  },
);

test('a roll is 80 mm wide and as long as its text, a register lies, and two copies share a page', async () => {
  const sizeOf = async (kind: string) => {
    const { template, data } = papers[kind]?.(names.English) ?? {};
    const bytes = await makePaper(template as Template<PaperData>, data as PaperData, { owner: 'account:1' });
    const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
    const { width, height } = (await file.getPage(1)).getViewport({ scale: 25.4 / 72 });
    return [file.numPages, Math.round(width), Math.round(height)];
  };
  const [pages, width, height = 0] = await sizeOf('roll');
  expect([pages, width, height > 80 && height < 140]).toEqual([1, 80, true]);
  expect((await sizeOf('register')).slice(1)).toEqual([297, 210]);
  expect(await sizeOf('receipt')).toEqual([1, 210, 297]);
});

/** A consonant with each vowel mark, each vowel, and what may follow both, of one script. */
function* syllables(first: number) {
  const at = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(first + from + index)).filter((letter) =>
      /^\p{Assigned}$/u.test(letter),
    );
  const [vowels, signs] = [at(0x05, 0x14), ['', ...at(0x3e, 0x4d)]];
  const [ka, ra, virama] = at(0x15, 0x15).concat(at(0x30, 0x30), at(0x4d, 0x4d));
  const bases = [
    ...vowels,
    ...signs.flatMap((sign) => [`${ka}${sign}`, `${ka}${virama}${ra}${sign}`, `${ra}${virama}${ka}${sign}`]),
  ];
  for (const base of bases) for (const mark of ['', ...at(0x01, 0x03)]) yield `${base}${mark}`;
}

test.each([
  ['Gujarati', 0x0a80],
  ['Devanagari', 0x0900],
])(
  'names of every vowel with every sign in %s are set in fonts that have them, and copied as typed',
  async (_, first) => {
    const all = [...syllables(first)];
    expect(all.length).toBeGreaterThan(200);
    const data = {
      ...list(''),
      table: { heads: [text`No.`, text`Name`], rows: all.map((name, index) => [`${index}.`, `${name}ક`]) },
    };
    const bytes = await makePaper(sheet, data, { owner: 'account:1' });
    keep(`syllables-${first}`, bytes);
    expect((await readStructure(bytes)).declares).toBe('PDF/UA-1');
    const copied = (await pagesOf(bytes)).join(' ').replaceAll(/\s+/g, '');
    for (const name of all) expect(copied).toContain(`${name}ક`);
  },
);

test.each([
  ['of one letter', 'M'],
  ['without a last name', 'Meera'],
  ['of a hundred letters without a space', 'હરિકૃષ્ણ'.repeat(20)],
  ['with marks of direction', '\u200fMeera\u200e Shah'],
  ['with a joiner between letters', 'ક્\u200dષ શર્\u200cમા'],
])('a name %s is on every paper', async (_, name) => {
  for (const kind of kinds) {
    const { template, data } = papers[kind]?.(name) ?? {};
    const bytes = await makePaper(template as Template<PaperData>, data as PaperData, { owner: 'account:1' });
    const seen = (words: string) => words.replaceAll(/[\s\u200c-\u200f]+/g, '');
    const copied = seen((await pagesOf(bytes)).join(''));
    // A card cuts what has no room at its smallest size.
    expect([kind, copied.includes(seen(name).slice(0, 60))]).toEqual([kind, true]);
    expect((await readStructure(bytes)).declares).toBe('PDF/UA-1');
  }
});

test('a letter of another script is a box and never another letter, and the paper keeps its tags', async () => {
  const bytes = await makePaper(sheet, form('தமிழ் Asha 中'), { owner: 'account:1' });
  const { declares, isTagged, roles } = await readStructure(bytes);
  expect([declares, isTagged, roles.includes('H1')]).toEqual(['', true, true]);
  expect((await pagesOf(bytes)).join('')).toContain('Asha');
});

test('a paper of 5,000 rows has each of them, and takes less than four times the memory of one of 1,000', async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => [
    `${index + 1}`,
    `Child-${index + 1}`,
    names.Gujarati,
    '5, A',
    'Girl',
    '31 Jan 2016',
  ]);
  const heads = ['No.', 'Name', 'Father', 'Section', 'Gender', 'Birth date'].map(say);
  const make = (count: number) =>
    makePaper(sheet, { ...list(''), table: { heads, rows: rows.slice(0, count) } }, { owner: 'account:1' });
  await make(1000);
  const before = paperMemory();
  const pages = await pagesOf(await make(5000));
  expect(paperMemory() / before).toBeLessThan(4);
  expect(pages.join(' ').match(/Child-\d+/g)).toEqual(rows.map(([, name]) => name));
  for (const page of pages.slice(0, -1)) expect(page).toContain('Birth date');
});
