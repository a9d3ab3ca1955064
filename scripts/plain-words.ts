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

/** Texts of the specification, which stay letter for letter. */
const specified = new Set<string>([]);

/** The first such word in a text, and what to write instead. */
export function findUnplainWord(text: string): { word: string; instead: string } | undefined {
  const found = unplain.find(([word]) => word.test(text));
  return found && { word: found[0].exec(text)?.[0] ?? '', instead: found[1] };
}

/** Lists the texts of the catalogues that use such a word; the key of each catalogue is its file name. */
export function findUnplainTexts(catalogues: Readonly<Record<string, string>>): string[] {
  return Object.entries(catalogues).flatMap(([file, catalogue]) =>
    messagesOf(catalogue).flatMap((message) => {
      const found = specified.has(message) ? undefined : findUnplainWord(message);
      return found ? [`${file}: “${message}” says “${found.word}”; say: ${found.instead}.`] : [];
    }),
  );
}

/** The English words of each entry of a catalogue: of `msgstr`, since the key may be generated. */
export const messagesOf = (catalogue: string): string[] =>
  [...catalogue.matchAll(/^msgstr ((?:".*"\n?)+)/gm)]
    .map(([, quoted = '']) => [...quoted.matchAll(/"(.*)"/g)].map(([, part = '']) => JSON.parse(`"${part}"`)).join(''))
    .filter((message) => message !== '' && !message.startsWith('POT-Creation-Date'));
