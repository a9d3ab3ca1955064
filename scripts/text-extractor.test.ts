import { expect, test } from 'vitest';
import { findUnplainTexts, findUnplainWord, messagesOf } from './plain-words.ts';
import { textsOf } from './text-extractor.ts';

const importing = `import { options, text } from '#kit/contract/text.ts';\n`;
const messages = (code: string) => textsOf('club.ts', importing + code).map(({ id }) => id);

test('the texts of tags, calls and lists are found without running the code', () => {
  expect(messages('const a = text`$'.concat('{{ free }} seats are free.`;'))).toEqual(['{free} seats are free.']);
  expect(messages("text({ message: '{n, plural, one {# row} other {# rows}}' }, { n });")).toEqual([
    '{n, plural, one {# row} other {# rows}}',
  ]);
  expect(messages("text({ message: 'State', context: 'address' });")).toEqual(['address: State']);
  expect(messages("const sides = options('North', 'South');")).toEqual(['North', 'South']);
});

test('a tag or function of the same name is another one', () => {
  expect(textsOf('club.ts', 'const text = String.raw; text`x`; options(1);')).toEqual([]);
});

test.each([
  ['a value without a label', 'text`$'.concat('{free} seats`;'), /club\.ts:2: Label the value/],
  ['a message that is not written in the call', 'text({ message: words });', /club\.ts:2: Write the message/],
  ['a list that is not written in the call', 'options(...words);', /club\.ts:2: Write the words/],
])('%s is refused, since its translation would be lost', (_what, code, why) => {
  expect(() => messages(code)).toThrow(why);
});

test('words that a page shows without a macro are refused', () => {
  expect(() => textsOf('Club.tsx', 'const a = <p>Chess</p>;')).toThrow(/Club\.tsx:1: Put these words into <Trans>/);
  expect(textsOf('Club.tsx', 'const a = <p><Trans>Chess <b>club</b></Trans> · {name}</p>;')).toEqual([]);
});

test('a text that says what words.md forbids is named with what to say instead', () => {
  const catalogue = 'msgid "a"\nmsgstr "Number them anew."\n\nmsgid "b"\nmsgstr ""\n"Sign in to "\n"see it."\n';
  expect(messagesOf(catalogue)).toEqual(['Number them anew.', 'Sign in to see it.']);
  expect(findUnplainTexts({ 'en.po': catalogue })).toEqual([
    'en.po: “Number them anew.” says “anew”; say: again, new.',
  ]);
});

test.each([
  'The marks stay.',
  'Families are told.',
  'The terms go on.',
  'From a day',
  'What is left empty',
  'Enter the leaving.',
])('a text on screen does not say “%s”', (message) => {
  expect(findUnplainTexts({ 'en.po': `msgid "a"\nmsgstr "${message}"\n` })).toHaveLength(1);
  expect(findUnplainWord(message)).toBeUndefined();
});

test.each(['You stay signed in on this device.', 'What happens next', 'What is wrong with the paper?'])(
  'a text on screen may say “%s”',
  (message) => {
    expect(findUnplainTexts({ 'en.po': `msgid "a"\nmsgstr "${message}"\n` })).toEqual([]);
  },
);
