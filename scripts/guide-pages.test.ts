import { expect, test } from 'vitest';
import { brokenGuide, readGuidePage } from './guide-pages.ts';

const page = `# Fees

Open **Fee** and read [the counter](counter.md).

![A student’s account with dues](pictures/account.webp)

## First

1. Search the child.
2. Type the amount
   and press Enter.
`;

test('a page of the guide becomes titles, paragraphs, lists, pictures and links, and nothing else', () => {
  expect(readGuidePage('fees.md', page)).toEqual({
    title: 'Fees',
    blocks: [
      { kind: 'text', line: ['Open ', { bold: 'Fee' }, ' and read ', { words: 'the counter', page: 'counter' }, '.'] },
      { kind: 'picture', words: 'A student’s account with dues', src: 'pictures/account.webp' },
      { kind: 'head', words: 'First' },
      { kind: 'list', isOrdered: true, items: [['Search the child.'], ['Type the amount and press Enter.']] },
    ],
  });
});

test.each([
  ['HTML', '<script>alert(1)</script>'],
  ['HTML in a line', 'Open <b>Fee</b>.'],
  ['a link out of the guide', 'See [this](https://school.example).'],
  ['a link with a script', 'See [this](javascript:alert(1)).'],
  ['a picture of another place', '![A picture of the account](https://school.example/x.webp)'],
  ['code', 'Type `npm`.'],
  ['a table', '| a | b |'],
])('%s is refused, with the name of the page', (_, part) => {
  expect(() => readGuidePage('fees.md', `# Fees\n\n${part}`)).toThrow('fees.md');
});

test('SY8 the check names a missing page, a page that nothing leads to, and pictures that are missing, unused or too large', () => {
  const pages = {
    README: readGuidePage('README.md', '# Using Shala\n\n- [Fees](fees.md)'),
    fees: readGuidePage('fees.md', page),
    lost: readGuidePage('lost.md', '# Lost\n\nWords.'),
  };
  expect(brokenGuide({ pages, pictures: { 'pictures/old.webp': 70_000 } })).toEqual([
    'docs/use/fees.md links to counter.md, which does not exist.',
    'docs/use/fees.md shows pictures/account.webp, which does not exist.',
    'docs/use/README.md does not lead to lost.md.',
    'No page of docs/use shows pictures/old.webp.',
    'docs/use/pictures/old.webp has 70000 bytes; at most 60000.',
  ]);
});
