import type { TableColumns } from '#kit/contract/endpoint.ts';
import { reasonsHead } from '#kit/contract/import-limits.ts';
import type { ColumnPlan, NameOrder } from '#kit/contract/import-plan.ts';
import { english } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import { bare, plain } from './read-table.ts';

/** Usual short words of headings, and the word they stand for. */
const longWords: Record<string, string> = {
  mob: 'mobile',
  mobileno: 'mobile',
  ph: 'mobile',
  phone: 'mobile',
  contact: 'mobile',
  cell: 'mobile',
  mail: 'email',
  emailid: 'email',
  dob: 'birth',
  bdate: 'birth',
  birthdate: 'birth',
  doj: 'joining',
  joined: 'joining',
  dt: 'date',
  addr: 'address',
  add: 'address',
  desig: 'designation',
  dept: 'department',
  emp: 'employee',
  qual: 'qualification',
  cat: 'category',
  catg: 'category',
  sex: 'gender',
  fath: 'father',
  fathers: 'father',
  moth: 'mother',
  mothers: 'mother',
};
/** Words that tell no two headings apart. */
const fillers = new Set(['no', 'nos', 'number', 'of', 'the', 'id', 'date', 'in', 's']);

const wordsOf = (head: string): string[] =>
  sameText(head)
    .replaceAll("'", '')
    .replaceAll('-', '')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.map((word) => longWords[word] ?? word) ?? [];

/** All words of a heading written out, in one order: "Joining Dt." as "date joining". */
const expanded = (head: string) => wordsOf(head).sort().join(' ');

/** The words of a heading by which it is compared, in one order: "Fath. Mob. No." as "father mobile". */
const canonical = (head: string) =>
  wordsOf(head)
    .filter((word) => !fillers.has(word))
    .sort()
    .join(' ');

interface Heading {
  name: string;
  words: readonly string[];
}

/** A heading of the file as a column: the better the match, the higher. */
export interface Match {
  name: string;
  score: 1 | 2 | 3;
}

/** Finds the column of a heading: by its label, by other usual headings, or by its words written out. */
export function headMatcher(known: TableColumns): (head: string) => Match | undefined {
  const headings: Heading[] = Object.entries(known.columns).map(([name, { label, alsoNamed = [] }]) => ({
    name,
    words: [english(label), ...alsoNamed],
  }));
  const whole = known.whole;
  if (whole) headings.push({ name: wholeName, words: whole.alsoNamed });
  const byLabel = new Map(headings.map(({ name, words }) => [plain(words[0] ?? ''), name]));
  const of = (key: (words: string) => string) => {
    const found = new Map<string, string | null>();
    for (const { name, words } of headings)
      for (const one of words.map(key)) {
        const other = found.get(one);
        // Words that fit two columns decide nothing.
        if (one !== '') found.set(one, other === undefined || other === name ? name : null);
      }
    return found;
  };
  const [byBare, byAllWords, byWords] = [of(bare), of(expanded), of(canonical)];
  return (head) => {
    if (bare(head) === '' || plain(head) === plain(english(reasonsHead))) return undefined;
    const own = byLabel.get(plain(head));
    if (own) return { name: own, score: 3 };
    const other = byBare.get(bare(head));
    if (other) return { name: other, score: 2 };
    const words = byAllWords.get(expanded(head)) ?? byWords.get(canonical(head));
    return words ? { name: words, score: 1 } : undefined;
  };
}

/** Stands for the fields of a whole name. */
const wholeName = ' whole';

/** The one label with all words of the heading, or the other way round: "Date of joining", "Staff name". */
function similarTo(head: string, names: readonly string[], known: TableColumns): string | undefined {
  const isIn = (some: string[], all: string[]) => some.length > 0 && some.every((word) => all.includes(word));
  const given = wordsOf(head);
  const similar = names.filter((name) => {
    const words = wordsOf(english(known.columns[name]?.label ?? reasonsHead));
    return isIn(given, words) || isIn(words, given);
  });
  return similar.length === 1 ? similar[0] : undefined;
}

const isMobile = (cell: string) => /^(?:\+?91[- ]?|0)?[6-9][0-9]{4}[- ]?[0-9]{5}$/.test(cell.trim());

/** The proposed columns of a file: by heading, by similar words, and by what the cells look like. */
export function proposeColumns(
  known: TableColumns,
  heads: readonly string[],
  samples: readonly (readonly string[])[],
): (ColumnPlan | null)[] {
  const match = headMatcher(known);
  const matches = heads.map(match);
  const found = new Set<string>();
  const plans = heads.map((): ColumnPlan | null => null);
  const take = (index: number, name: string) => {
    if (found.has(name) || plans[index]) return;
    found.add(name);
    plans[index] = name === wholeName ? { to: known.whole?.parts[0] ?? '', order: 'First Middle Last' } : { to: name };
  };
  for (const score of [3, 2, 1])
    for (const [index, one] of matches.entries()) if (one?.score === score) take(index, one.name);
  const [firstPart = '', , lastPart = ''] = known.whole?.parts ?? [];
  // Beside a surname alone a name has the other parts; beside any other part of a name it is left out.
  const isBesideLast = known.whole?.parts.length === 3 && found.has(lastPart) && !found.has(firstPart);
  if (found.has(wholeName) && isBesideLast) {
    for (const plan of plans) if (plan?.order) plan.order = 'First Middle';
    found.add(firstPart);
  } else if (found.has(wholeName) && known.whole?.parts.some((part) => found.has(part)))
    for (const [index, plan] of plans.entries()) if (plan?.order) plans[index] = null;
  const rest = () => Object.keys(known.columns).filter((name) => !found.has(name));
  for (const [index, head] of heads.entries()) {
    if (plans[index] || bare(head) === '' || plain(head) === plain(english(reasonsHead))) continue;
    const similar = similarTo(head, rest(), known);
    if (similar) take(index, similar);
  }
  const mobile = rest().filter((name) => known.columns[name]?.kind === 'mobile');
  for (const [index, cells] of samples.entries()) {
    const [only] = mobile;
    if (!plans[index] && mobile.length === 1 && only && cells.length > 0 && cells.every(isMobile)) take(index, only);
  }
  return plans;
}

/**
 * The order of the parts of whole names, by comparing with a column of the father's name: who shares it has it last or
 * in the middle.
 */
export function proposeOrder(names: readonly string[], elders: readonly string[]): NameOrder {
  let [first, last, longest] = [0, 0, 0];
  for (const [index, name] of names.entries()) {
    const words = sameText(name).split(' ').filter(Boolean);
    longest = Math.max(longest, words.length);
    const elder = new Set(
      sameText(elders[index] ?? '')
        .split(' ')
        .filter(Boolean),
    );
    if (elder.size === 0 || words.length < 3) continue;
    const [one = '', two = ''] = words;
    if (!elder.has(one) && elder.has(two)) first++;
    if (elder.has(one) && !elder.has(two)) last++;
  }
  if (longest < 3) return 'First Last';
  return last > first ? 'Last First Middle' : 'First Middle Last';
}
