import type { Language } from '../src/kit/contract/languages.ts';
import type { Entry } from '../src/kit/server/language/catalogue.ts';

export interface Translated extends Entry {
  file: string;
  language: Language;
}

interface Fault {
  file: string;
  id: string;
  rule: string;
}

/** Texts of these catalogues that only staff, tests or the shell's own parts show. */
const notOfFamilies = [
  /^(When (a|an|the|fees) |Once a day, |On the day on which )/,
  /^The family of /,
  /^(Consent withdrawn|Message from the family of|Erase the answers)/,
  /^(All|Overdue|Needs a reason|Show the table|The audit log keeps it\.|Save and add another|\{name\} was added\.)$/,
  /^(Saved (at|<0>).*|WhatsApp to \{name\}|\{0\} Enter the next one\.|\{value, plural, one \{# day\}.*)$/,
  /^\{0, plural, one \{# cells? /,
];

/** Latin words that a translation may have: kinds of files, the name of a language in its own script, what a family types letter for letter, and names. */
const latin = new Set(
  'PDF PNG JPG JPEG GIF MB kB OTP SMS UPI UTR QR GR LC TC RTE ADHD HEIC iPhone JavaScript https UID English Applied for Prefer not to say A AB B O X'.split(
    ' ',
  ),
);

/** Words of dictionaries, of machines and of other meanings; the right words are beside them. */
const forbidden: Partial<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  gu: [
    [/કૃપા કરીને/, 'no “please” on a form'],
    [/શુલ્ક/, 'ફી'],
    [/અમાન્ય/, 'બરાબર નથી'],
    [/પાત્ર(?!તા)/, 'અક્ષર'],
    [/છાત્ર/, 'વિદ્યાર્થી'],
    [/વિકલાંગ/, 'દિવ્યાંગ'],
    [/પ્રથમ નામ/, 'નામ'],
    [/આવેદન/, 'અરજી'],
    [/સંગ્રહ/, 'સાચવો'],
    [/ચૂકવો/, 'ભરો'],
    [/ઇમેઇલ|ઈ-મેલ|ઇમેલ/, 'ઈમેઇલ'],
    [/(?<![\p{L}\p{M}])(તું|તમે|તમારું|તમારા|તમારી)(?!\p{L})/u, 'આપ'],
  ],
  hi: [
    [/कृपया/, 'no “please” on a form'],
    [/अमान्य/, 'सही नहीं'],
    [/पात्र(?!ता)/, 'अक्षर'],
    [/विकलांग/, 'दिव्यांग'],
    [/कूटशब्द|कुंजिका/, 'पासवर्ड'],
    [/प्रविष्ट|दर्ज करें/, 'लिखें'],
    [/मध्य नाम|प्रथम नाम/, 'नाम'],
    [/(?<![\p{L}\p{M}])(तुम|तू|तुम्हारा)(?!\p{L})/u, 'आप'],
  ],
};

/** Terms of the glossary: where the English has one, the translation has its stem. */
const terms: readonly (readonly [english: RegExp, gu: RegExp, hi: RegExp])[] = [
  [/\badmission form\b/i, /પ્રવેશ ફોર્મ/, /प्रवेश फ़ॉर्म/],
  [/\bconsent\b/i, /સંમતિ/, /सहमति/],
  [/\bdocuments?\b/i, /દસ્તાવેજ/, /दस्तावेज़/],
  [/\bschools?\b(?!’s retention| nurse| bus| DISE)/i, /શાળા/, /विद्यालय/],
  [/\bdivorce/i, /છૂટાછેડા/, /तलाक़/],
  [/\bguardian/i, /વાલી/, /अभिभावक/],
  [/\bfees?\b/i, /ફી/, /फ़ीस/],
  [/\bdisability\b/i, /દિવ્યાંગતા/, /दिव्यांगता/],
  [/\ballerg/i, /એલર્જી/, /एलर्जी/],
  [/\bbirth certificate\b/i, /જન્મનું પ્રમાણપત્ર/, /जन्म प्रमाण पत्र/],
];

/** Where another word is right although the English has the term. */
const termless = new Set(['attended before: School', 'Overdue', 'School leaving certificate']);

const holes = (words: string) => (words.match(/\{\w+(?=[,}])/g) ?? []).map((hole) => hole.slice(1));
const tags = (words: string) => words.match(/<\/?\d+\/?>/g) ?? [];
const forms = (words: string): string[] => words.match(/(?:=\d+|zero|one|two|few|many|other)(?= \{)/g) ?? [];
const same = (left: readonly string[], right: readonly string[]) => left.toSorted().join() === right.toSorted().join();
/** In a plural a hole may stand once a form: its names count, not how often. */
const namesOf = (words: string) => [...new Set(holes(words))];

/** The words of a message, without its holes and tags. */
const spoken = (words: string) =>
  words
    .replace(/\{\w+, plural,/g, ' ')
    .replace(/(?:=\d+|one|other) \{/g, ' ')
    .replace(/\{\w+\}|<\/?\d+\/?>|[#}]/g, ' ');

const isSentence = (words: string) => /[.?!।]["”]?$/.test(words.trim()) || words.length > 60;

/** Everything that is wrong with one translation. */
function faultsOf({ id: key, context, translation, comments, language }: Translated): string[] {
  if (language === 'en') return [];
  const id = context || !/^[a-z][a-z ]+: [A-Z]/.test(key) ? key : key.slice(key.indexOf(': ') + 2);
  if (translation.trim() === '') return notOfFamilies.some((one) => one.test(id)) ? [] : ['it has no translation'];
  const faults: string[] = [];
  const say = (isWrong: boolean, rule: string) => isWrong && faults.push(rule);
  const isPlural = /, plural,/.test(id);
  say(
    !same(isPlural ? namesOf(id) : holes(id), isPlural ? namesOf(translation) : holes(translation)),
    'its {…} differ from the English',
  );
  say(!same(tags(id), tags(translation)), 'its <0> differ from the English');
  if (isPlural) {
    say(!forms(translation).includes('other'), 'its plural has no other');
    say(!same(forms(id), forms(translation)), 'its plural has other forms than the English');
  }
  // Composed letters with a nukta are written as two code points, as NFC has them.
  say(translation !== translation.normalize('NFC'), 'it is not in NFC');
  say(/[\u200B\u200E\u200F\u2060\uFEFF\u00AD]/.test(translation), 'it has an invisible character');
  say(
    /(?:^|[\s\p{P}])[\u200C\u200D]|[\u200C\u200D](?:$|[\s\p{P}])/u.test(translation),
    'it has a joiner outside a word',
  );
  say(/^\s|\s$/.test(translation) || /\u2026/.test(translation), 'it begins or ends with a space, or has …');
  const words = spoken(translation);
  const other = { gu: /\p{Script=Devanagari}/u, hi: /\p{Script=Gujarati}/u }[language as string];
  say(other?.test(words.replaceAll('।', '')) === true, 'it has a letter of the other script');
  say(/[०-९૦-૯]/.test(words), 'its digits are not Latin');
  say(language === 'gu' && /[।॥]/.test(words), 'a Gujarati sentence ends with a full stop');
  const strange = (words.match(/[A-Za-z]+/g) ?? []).filter((word) => !latin.has(word));
  say(strange.length > 0, `it has Latin words: ${strange.join(', ')}`);
  say(
    language === 'gu' && /\} (?:માં|નું|ના|ની|નો|થી જ|ને|એ)(?!\p{L}|\p{M})/u.test(translation),
    'a case ending joins its word',
  );
  for (const [word, right] of forbidden[language] ?? [])
    if (word.test(translation)) faults.push(`it has “${word.source}”: ${right}`);
  const isExcepted = comments.some((comment) => comment.startsWith('glossary:')) || termless.has(key);
  for (const [english, gu, hi] of isExcepted ? [] : terms) {
    const term = { gu, hi }[language as string];
    if (term && english.test(spoken(id)) && !term.test(translation))
      faults.push(`the glossary has ${term.source} for ${english.source}`);
  }
  const [length, most] = [
    spoken(translation).trim().length,
    spoken(id).trim().length * (isSentence(id) ? 1.35 : 1.6) + 12,
  ];
  say(length > most, `it is longer than ${Math.floor(most)} letters`);
  return faults;
}

/** The faults of catalogues: of each text, and of texts that are equal in English and differ in translation. */
export function findFaults(all: readonly Translated[]): Fault[] {
  const faults = all.flatMap((one) => faultsOf(one).map((rule) => ({ file: one.file, id: one.id, rule })));
  const known = new Map<string, Translated>();
  for (const one of all) {
    if (!one.translation) continue;
    const key = `${one.language} ${one.context} ${one.id}`;
    const before = known.get(key) ?? one;
    known.set(key, before);
    if (before.translation !== one.translation)
      faults.push({ file: one.file, id: one.id, rule: `it is “${before.translation}” in ${before.file}` });
  }
  return faults;
}
