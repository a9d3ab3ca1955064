import { expect, test } from 'vitest';
import { keyOf } from '../src/kit/contract/text-key.ts';
import { findFaults, type Translated } from './translation-faults.ts';
import { readTranslated } from './translations.ts';

const gu = (id: string, translation: string, over: Partial<Translated> = {}): Translated => ({
  id,
  translation,
  context: '',
  comments: [],
  file: 'form/gu.po',
  language: 'gu',
  ...over,
});
const hi = (id: string, translation: string) => gu(id, translation, { file: 'form/hi.po', language: 'hi' });
const plural = '{n, plural, one {# character left} other {# characters left}}';

test('LG15 the catalogues of families have no fault', () => {
  expect(readTranslated().length).toBeGreaterThan(800);
  expect(findFaults(readTranslated())).toEqual([]);
});

test.each<[what: string, planted: Translated, rule: RegExp]>([
  ['no words', gu('Save', ''), /no translation/],
  ['a lost hole', gu('Saved {time}', 'સચવાયું'), /\{…\} differ/],
  ['a misspelt hole', gu('Call {name}', '{nane}ને ફોન કરો'), /\{…\} differ/],
  ['a lost tag', gu('Call <0/> today', 'આજે ફોન કરો'), /<0> differ/],
  ['a plural without other', gu(plural, '{n, plural, one {# અક્ષર}}'), /no other/],
  ['a plural with a form more', gu(plural, '{n, plural, one {# અક્ષર} two {# અક્ષર} other {# અક્ષરો}}'), /other forms/],
  ['a lost =0', gu('{n, plural, =0 {None} other {# more}}', '{n, plural, other {બીજા #}}'), /other forms/],
  [
    'a decomposed letter',
    hi('Save', 'क\u093c'.normalize('NFC').replace('\u093c', '\u093c\u093c').concat('e\u0301')),
    /NFC|Latin/,
  ],
  ['an invisible space', gu('Save', 'સાચ\u200bવો'), /invisible/],
  ['a joiner outside a word', gu('Save', 'સાચવો\u200d'), /joiner/],
  ['a space at its end', gu('Save', 'સાચવો '), /space/],
  ['a letter of Devanagari in Gujarati', gu('Save', 'સાચवો'), /other script/],
  ['a letter of Gujarati in Hindi', hi('Save', 'सहેजें'), /other script/],
  ['Gujarati digits', gu('10 digits', '૧૦ આંકડા'), /digits/],
  ['a danda in Gujarati', gu('Saved.', 'સચવાયું।'), /full stop/],
  ['an English word', gu('Save', 'save કરો'), /Latin words: save/],
  ['a case ending that stands apart', gu('Send it to {name}', '{name} ને મોકલો'), /case ending/],
  ['a word of dictionaries', gu('The fee is due', 'શુલ્ક બાકી છે'), /શુલ્ક/],
  ['a word of machines', hi('Use at most {max} characters.', 'ज़्यादा से ज़्यादा {max} पात्र लिखें।'), /पात्र/],
  ['an address that is not polite', gu('Fill it in', 'તમે ભરો'), /આપ/],
  ['a term of the glossary lost', gu('Your consent', 'આપની હા'), /glossary/],
  ['far too long', gu('Save', 'આપે લખેલી બધી વિગતો અહીં સાચવી રાખો'), /longer/],
])('LG15 a translation with %s is refused, with its file and its text', (_, planted, rule) => {
  const faults = findFaults([planted]);
  expect(faults.map((fault) => fault.rule).join('; ')).toMatch(rule);
  expect(faults[0]).toMatchObject({ file: planted.file, id: planted.id });
});

test('LG15 the same English in two translations is refused, but not in two contexts', () => {
  const other = gu('State', 'સ્થિતિ', { file: 'end/gu.po' });
  expect(findFaults([gu('State', 'રાજ્ય'), other]).map(({ file, rule }) => [file, rule])).toEqual([
    ['end/gu.po', 'it is “રાજ્ય” in form/gu.po'],
  ]);
  expect(findFaults([gu('State', 'રાજ્ય'), { ...other, context: 'of a request' }])).toEqual([]);
});

test('no two texts have the same key in the catalogues that browsers load', () => {
  const ids = [...new Set(readTranslated().map(({ id }) => id))];
  expect(new Set(ids.map(keyOf)).size).toBe(ids.length);
});
