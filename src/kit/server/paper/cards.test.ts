import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { text, verbatim } from '#kit/contract/text.ts';
import { type CardSheet, cardSheet, makePaper } from './paper.ts';

type Card = CardSheet['cards'][number];

const point = 72 / 25.4;
const [width, height] = [85.6 * point, 54 * point];
const [left, top] = [((210 - 2 * 85.6) / 2) * point, ((297 - 4 * 54) / 2) * point];

const card = (name: string, over: Partial<Card> = {}): Card => ({ name, facts: [[text`Number`, 'EMP0001']], ...over });

/** The texts of each place of each page, and around them. None may reach over the edge of its place or another line. */
async function sheet(cards: Card[], over: Partial<CardSheet> = {}) {
  const head = { name: 'Teak Tree School', lines: [], principal: '' };
  const paper = { head, title: text`Identity card`, cards, foot: verbatim('Call 079 2646 1234'), notes: [] };
  const bytes = await makePaper(cardSheet, { ...paper, ...over }, { owner: 'account:1' });
  const file = await getDocument({ data: new Uint8Array(bytes) }).promise;
  const pages: { places: string[][]; around: string[]; glyphs: (string | undefined)[]; pictures: number }[] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const places = Array.from({ length: 8 }, (): string[] => []);
    const around: string[] = [];
    const lines = new Map<string, number[]>();
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item) || !item.str.trim()) continue;
      const [, , , size, x, y] = item.transform as number[] as [number, number, number, number, number, number];
      const [column, row] = [Math.floor((x - left) / width), Math.floor((842 - y - top) / height)];
      if (row < 0 || row > 3) {
        around.push(item.str);
        continue;
      }
      places[2 * row + column]?.push(item.str);
      const start = `${row} ${Math.round(x)}`;
      for (const other of lines.get(start) ?? [])
        expect([item.str, Math.abs(other - y) > size]).toEqual([item.str, true]);
      lines.set(start, [...(lines.get(start) ?? []), y]);
      const edges = { right: left + (column + 1) * width, lower: top + (row + 1) * height };
      expect([item.str, x + item.width < edges.right - 5, 842 - y + 0.3 * size < edges.lower]).toEqual([
        item.str,
        true,
        true,
      ]);
    }
    const { fnArray, argsArray } = await page.getOperatorList();
    const shown = argsArray.filter((_, index) => fnArray[index] === OPS.showText);
    pages.push({
      places,
      around,
      glyphs: shown.flatMap(([signs]: [{ unicode?: string }[]]) => signs.map(({ unicode }) => unicode)),
      pictures: fnArray.filter((operation) => operation === OPS.paintImageXObject).length,
    });
  }
  return { pages, bytes };
}

/** The letters, sorted, since vowel signs before a consonant change the order. */
const letters = (text: string) => [...text.replaceAll(/\s/g, '')].sort().join('');

test('eight cards are on a page, each in its place with the head, the title, its facts and the foot', async () => {
  const names = Array.from({ length: 17 }, (_, index) => `Person-${index + 1}`);
  const { pages } = await sheet(names.map((name) => card(name)));
  expect(pages.map(({ places }) => places.filter((texts) => texts.length > 0).length)).toEqual([8, 8, 1]);
  const found = pages.flatMap(({ places }) => places).filter((texts) => texts.length > 0);
  expect(found.map((texts) => letters(texts.join('')))).toEqual(
    names.map((name) => letters(`Teak Tree School Identity card P ${name} Number EMP0001 Call 079 2646 1234`)),
  );
});

test('the longest names and facts stay inside their card, and a name is whole', async () => {
  const long = [
    'W'.repeat(100),
    'Venkatanarasimharajuvaripeta '.repeat(4).slice(0, 100),
    'હરિકૃષ્ણ પુરુષોત્તમભાઈ '.repeat(5).slice(0, 100),
    'ક્ષ્મ'.repeat(20),
  ].map((name) => name.trim());
  const facts: Card['facts'] = long.map((value) => [text`Emergency contact`, `${value} ${value}`]);
  const head = { name: 'The School of the Long Name '.repeat(8), lines: [], principal: '' };
  // In the last row, what does not fit would be below the cards.
  const cards = long.map((name) => card(name, { facts }));
  const others = Array.from({ length: 6 }, () => card('Asha'));
  const { pages } = await sheet([...others, ...cards.slice(0, 2), ...others, ...cards.slice(2)], {
    head,
    foot: verbatim('9'.repeat(300)),
  });
  for (const [index, { places, around }] of pages.entries()) {
    expect(around).toEqual(['Identity card', 'Print at actual size. Each card is 85.6 × 54 mm.', `${index + 1} / 2`]);
    for (const texts of places.slice(6)) expect(texts.filter((words) => words === 'Emergency contact')).toHaveLength(4);
  }
  const alone = await sheet(
    long.map((name) => card(name, { facts: [] })),
    { foot: undefined },
  );
  for (const [index, name] of long.entries()) {
    const own = letters(alone.pages[0]?.places[index]?.join('') ?? '');
    for (const letter of letters(name))
      expect([name, own.split(letter).length >= name.split(letter).length]).toEqual([name, true]);
  }
});

test('names in Gujarati and Devanagari are set with their conjuncts', async () => {
  const { pages } = await sheet([card('જ્યોત્સના ક્ષત્રિય'), card('श्रीमती क्षत्रिय')]);
  for (const conjunct of ['ક્ષ', 'क्ष']) expect(pages[0]?.glyphs).toContain(conjunct);
});

test('a card has a picture or initials, and the logo is in the file once', async () => {
  const picture = await sharp({ create: { width: 250, height: 321, channels: 3, background: '#666' } })
    .jpeg()
    .toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const logo = await sharp({ create: { width: 150, height: 150, channels: 3, background: '#14a', noise } })
    .png()
    .toBuffer();
  const head = { name: 'School', lines: [], principal: '', logo };
  const one = await sheet([card('Asha Trivedi', { picture })], { head });
  expect([one.pages[0]?.pictures, one.pages[0]?.places[0]?.includes('AT')]).toEqual([2, false]);
  const many = await sheet(
    Array.from({ length: 8 }, () => card('Asha Trivedi')),
    { head },
  );
  expect(many.pages[0]?.pictures).toBe(8);
  expect(many.pages[0]?.places.every((texts) => texts.includes('AT'))).toBe(true);
  expect(many.bytes.length).toBeLessThan(one.bytes.length + logo.length);
});
