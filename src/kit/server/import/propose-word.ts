import { sameText } from '#kit/contract/typed.ts';

const romans: Record<string, number> = {
  i: 1,
  ii: 2,
  iii: 3,
  iv: 4,
  v: 5,
  vi: 6,
  vii: 7,
  viii: 8,
  ix: 9,
  x: 10,
  xi: 11,
  xii: 12,
};

/** Words without spaces and dots that name the same choice. */
const others = [
  ['juniorkg', 'jrkg', 'lkg', 'lowerkg', 'kg1', 'kgi'],
  ['seniorkg', 'srkg', 'ukg', 'upperkg', 'hkg', 'higherkg', 'kg2', 'kgii', 'balvatika'],
];

/** Words that mean the same in every list. */
const alike = [
  ['m', 'male', 'boy', 'પુરુષ', 'છોકરો', 'કુમાર', 'पुरुष', 'लड़का'],
  ['f', 'female', 'girl', 'સ્ત્રી', 'છોકરી', 'કન્યા', 'महिला', 'लड़की'],
];

const wordsOf = (text: string): string[] => sameText(text).match(/[\p{L}\p{M}\p{N}+]+/gu) ?? [];

/** The one number of a text: "5th", "Std V" and "Class-5" have 5. */
function numberOf(text: string): number | undefined {
  const found = wordsOf(text).flatMap((word) => {
    const digits = /^([0-9]{1,3})(?:st|nd|rd|th)?$/.exec(word) ?? /^(?:[a-z]{2,8})([0-9]{1,3})$/.exec(word);
    const value = digits ? Number(digits[1]) : romans[word];
    return value === undefined ? [] : [value];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Whether the letters stand in the word in this order, the first one first: "asst" for "assistant". */
function isShort(short: string, word: string): boolean {
  if (short[0] !== word[0]) return false;
  let at = 0;
  for (const letter of word) if (letter === short[at]) at++;
  return at === short.length;
}

const isShortOf = (given: readonly string[], words: readonly string[]) =>
  given.length === words.length && given.every((word, index) => isShort(word, words[index] ?? ''));

/** Words of legal categories, as offices and authorities write them; each counts where the list has one of its group. */
const legal = [
  [
    'obc',
    'sebc',
    'sbc',
    'bc',
    'obca',
    'obcb',
    'otherbackwardclass',
    'otherbackwardclasses',
    'baxipanch',
    'bakshipanch',
    'બક્ષીપંચ',
  ],
  ['general', 'gen', 'open', 'ur', 'unreserved', 'સામાન્ય', 'सामान्य'],
  ['sc', 'schcaste', 'scheduledcaste', 'અનુસૂચિતજાતિ', 'अनुसूचितजाति'],
  ['st', 'schtribe', 'scheduledtribe', 'અનુસૂચિતજનજાતિ', 'अनुसूचितजनजाति'],
  ['ews', '10', 'economicallyweakersection'],
];

/** The one choice that a word of a file means, and whether it was only guessed, by its number or its letters. */
export interface Proposal {
  choice: string;
  isGuess: boolean;
}

/** Of a legal category a word means only what is the same or known: never what its letters look like. */
export function proposalOf(word: string, choices: readonly string[], isLegal = false): Proposal | null {
  const only = (is: (choice: string) => boolean) => {
    const found = choices.filter(is);
    return found.length === 1 ? (found[0] ?? null) : null;
  };
  const plain = sameText(word);
  const bare = wordsOf(word).join('');
  const bareOf = (choice: string) => wordsOf(choice).join('');
  const inGroup = (groups: readonly string[][]) => {
    const group = groups.find((words) => words.includes(bare));
    return group ? only((choice) => group.includes(bareOf(choice))) : null;
  };
  const same = alike.find((words) => words.includes(plain));
  const sure =
    only((choice) => sameText(choice) === plain) ??
    only((choice) => bareOf(choice) === bare) ??
    (same ? only((choice) => same.includes(sameText(choice))) : null) ??
    inGroup(isLegal ? legal : others);
  if (sure !== null) return { choice: sure, isGuess: false };
  if (isLegal) return null;
  const number = numberOf(word);
  const guess =
    (number === undefined ? null : only((choice) => numberOf(choice) === number)) ??
    (number === undefined ? only((choice) => isShortOf(wordsOf(word), wordsOf(choice))) : null) ??
    (number === undefined && bare.length > 2 ? only((choice) => isShortOf(wordsOf(choice), wordsOf(word))) : null);
  return guess === null ? null : { choice: guess, isGuess: true };
}

/** The choice of `proposalOf`. */
export const proposeWord = (word: string, choices: readonly string[], isLegal = false): string | null =>
  proposalOf(word, choices, isLegal)?.choice ?? null;
