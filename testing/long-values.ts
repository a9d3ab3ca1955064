const repeated = (of: string, size: number) => of.repeat(Math.ceil(size / of.length)).slice(0, size);

/** What long texts are made of: what expressions and loops over letters are slow with. */
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
  'İ',
  '👧',
  '\ud83d',
] as const;

/** Texts of any size, by what they are made of. Each stands also between a letter and an end that nothing expects. */
export const longTexts: [name: string, text: (size: number) => string][] = grains.flatMap((grain) => {
  const plain = (size: number) => repeated(grain, size);
  const name = JSON.stringify(grain);
  return [
    [name, plain],
    [`a${name} !`, (size: number) => `a${plain(size)} !`],
  ] as [string, (size: number) => string][];
});

/** Those of them that differ most. */
export const someTexts = longTexts.filter(([name]) =>
  ['a"a@." !', 'a" " !', '","', '"\\n"', '"\\""', '"0-"'].includes(name),
);

/** The text of a field, over and over. */
export const longAs = (sample: unknown) => (size: number) => repeated(String(sample ?? '') || 'x', size);

/** Lists whose JSON has about that size, by what stands in them. */
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

/** An object of that many characters of JSON, each name another. */
export const manyNames = (size: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: Math.ceil(size / 11) }, (_, index) => [`n${index + 100_000}`, 1]));

/** With this number wherever there was a number. */
function numbered(value: unknown, number: number): unknown {
  if (typeof value === 'number' || typeof value === 'string') return typeof value === 'number' ? number : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, numbered(item, number)]));
}
