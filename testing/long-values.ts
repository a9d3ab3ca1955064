const repeated = (of: string, size: number) => of.repeat(Math.ceil(size / of.length)).slice(0, size);

/** The parts of long texts: characters that are slow for expressions and loops. */
const grains = [
  'a',
  'a@.',
  '@',
  '.',
  '0',
  '0-',
  '-',
  ' ',
  'X ',
  '\n',
  '\r',
  ',',
  'a,',
  '"',
  "'",
  '/',
  '\\',
  '{seq:',
  '\u0301',
  '\u0301\u0323',
  'İ',
  '👧',
  '\ud83d',
] as const;

/** Texts of any size, by their parts. Each also stands between a letter and an unexpected end. */
export const longTexts: [name: string, text: (size: number) => string][] = grains.flatMap((grain) => {
  const plain = (size: number) => repeated(grain, size);
  const name = JSON.stringify(grain);
  return [
    [name, plain],
    [`a${name} !`, (size: number) => `a${plain(size)} !`],
  ] as [string, (size: number) => string][];
});

/** The most different ones of these. */
export const someTexts = longTexts.filter(([name]) =>
  ['a"a@." !', 'a" " !', '","', '"\\n"', '"\\""', '"0-"', '"\u0301\u0323"'].includes(name),
);

/** The text of a field, repeated. */
export const longAs = (sample: unknown) => (size: number) => repeated(String(sample ?? '') || 'x', size);

/** Lists whose JSON has about this size, by their items. */
export function longLists(sample: unknown): [name: string, list: (size: number) => unknown[]][] {
  const listOf = (item: (index: number) => unknown) => (size: number) =>
    Array.from({ length: Math.ceil(size / (JSON.stringify(item(1000))?.length ?? 1)) }, (_, index) => item(index + 1));
  return [
    ['the same', listOf(() => sample)],
    ['each another', listOf((index) => numbered(sample, index))],
    ['numbers', listOf((index) => index)],
    ['nulls', listOf(() => null)],
    ['empty texts', listOf(() => '')],
    ['empty lists', listOf(() => [])],
    ['empty objects', listOf(() => ({}))],
  ];
}

/** An object with this many characters of JSON, each name different. */
export const manyNames = (size: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: Math.ceil(size / 11) }, (_, index) => [`n${index + 100_000}`, 1]));

/** With this number in place of every number. */
function numbered(value: unknown, number: number): unknown {
  if (typeof value === 'number' || typeof value === 'string') return typeof value === 'number' ? number : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, numbered(item, number)]));
}
