/** Words that a clerk or a parent may not understand, and what to write instead. */
const unplain: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again, new'],
  [/\bmend(ed|s|ing)?\b/i, 'fix, correct'],
  [/\bgone for good\b|\btak(e|en|es) back\b/i, 'delete, undo, can’t be undone'],
  [/\bswitch(ed|es)? (off|on)\b/i, 'deactivate, inactive, activate'],
  [/\bnot active\b/i, 'inactive'],
  [/\bsigns?\b(?![ -](in|out|up|a|and|for|it|the)\b)(?<!= sign)/i, 'character, digit'],
  [/\bwho(ever|soever)\b/i, 'name the person: student, parent, teacher'],
  [/\bwhat becomes of\b/i, 'say what happens'],
  [/\bthere (must|need) be\b|\bmust be there\b/i, 'required'],
  [/\bis (none|no day)\b/i, 'not allowed, invalid'],
  [/\bunder way\b|\bon (its|their) way\b/i, 'loading, saving, sent'],
  [/\bwithout anybody\b|\bnobody for\b/i, 'vacancy, unassigned'],
  [/\bwrit(e|ten) down\b/i, 'recorded, entered'],
  [/\blasts (five|\d|\{)|\blast (five|\d+|\{\w+\}) (minutes|hours)/i, 'expires in 5 minutes'],
  [/\bring (up|us|the|them|him|her)\b/i, 'call'],
  [/\be-mail\b/i, 'email'],
  [/\bto the day before\b|\bfrom then on\b|\bthis very\b/i, 'until 31 March; from 1 June'],
  [/\bhand(ed)? in\b/i, 'submit'],
  [/\bprogramme\b/i, 'program'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bone by one\b|\bones\b/i, 'name the things'],
];

/** Turns of phrase that only texts on screens and papers avoid. */
const unplainOnScreen: readonly (readonly [RegExp, string])[] = [
  [/\bstay(s|ed)?\b(?! (signed in|on this page))/i, 'is kept, doesn’t change'],
  [/\btold\b/i, 'notified, gets a message'],
  [/\b(go|goes|going|went) on\b/i, 'continue, resume, apply again'],
  [/\b(from|to) a day\b|\b(today|joining|own day) on\b/i, 'from 1 June, from today, from the joining date'],
  [/\bwhat (is|was|are|were|they|you)\b(?! submitted| entered|[^.]*\?)/i, 'name the thing: dues, fields, answers'],
  [/^What$|^What [^?]*\.$/, 'name the thing: amounts, topics, actions'],
  [/\bsomebody\b|\breach nobody\b|\bnobody is\b/i, 'someone, no recipients; or name the person'],
  [/\b(is|are|was|were) (made|known|asked for|given already)\b/i, 'created, on record, requested, assigned'],
  [/\b(enter|record) the (leaving|joining|paying|coming)\b/i, 'name the fact: last day, joining date, payment'],
  [/\bby (itself|themselves)\b|\ball the same\b/i, 'automatically, anyway'],
  [/\bthe own\b|\ban own\b/i, 'their own, the child’s own'],
  [/\bthe terms before\b/i, 'the previous terms'],
];

/** Texts of the specification, which stay letter for letter. */
const specified = new Set<string>([]);

/** The first such word in a text, and what to write instead. */
export function findUnplainWord(text: string, list = unplain): { word: string; instead: string } | undefined {
  const found = list.find(([word]) => word.test(text));
  return found && { word: found[0].exec(text)?.[0] ?? '', instead: found[1] };
}

/** Lists the texts of the catalogues that use such a word; the key of each catalogue is its file name. */
export function findUnplainTexts(catalogues: Readonly<Record<string, string>>): string[] {
  return Object.entries(catalogues).flatMap(([file, catalogue]) =>
    messagesOf(catalogue).flatMap((message) => {
      const found = specified.has(message) ? undefined : findUnplainWord(message, [...unplain, ...unplainOnScreen]);
      return found ? [`${file}: “${message}” says “${found.word}”; say: ${found.instead}.`] : [];
    }),
  );
}

/** The English words of each entry of a catalogue: of `msgstr`, since the key may be generated. */
export const messagesOf = (catalogue: string): string[] =>
  [...catalogue.matchAll(/^msgstr ((?:".*"\n?)+)/gm)]
    .map(([, quoted = '']) => [...quoted.matchAll(/"(.*)"/g)].map(([, part = '']) => JSON.parse(`"${part}"`)).join(''))
    .filter((message) => message !== '' && !message.startsWith('POT-Creation-Date'));
