import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { normalMobile } from '#kit/contract/fields.ts';
import type { Page } from '#kit/contract/page.ts';
import type { Text } from '#kit/contract/text.ts';
import { cleanCode, cleanLine } from '#kit/contract/typed.ts';
import type { UserContext } from './context.ts';
import { contains } from './list/pagination.ts';

/** A record that the header's search found. */
export interface SearchHit {
  id: number;
  title: string;
  /** What distinguishes it from others of the same title. */
  detail: string;
  /** Why it is not like the others, such as the day a person left. */
  note?: Text;
  /** Its page, with its search: 'academic/academic-master?tab=section'. */
  to: string;
  /** How well it matches: 2 by whole words, 1 by beginnings of words, less by similar words. */
  closeness?: number;
}

/** The records of one kind that the header's search finds, for those who have its roles and sets. */
export interface SearchGroup extends Pick<Page, 'roles' | 'sets'> {
  /** Its word in the answer and in what browsers keep. */
  kind: string;
  title: Text;
  /** The list that finds all of them by the same words: 'student/student-list'. */
  list?: string;
  /** At most `most` records that this user may see, the best first. */
  find: (ctx: UserContext, search: string, most: number) => Promise<SearchHit[]>;
}

interface Search {
  /** The name in the query of the table whose names are searched. */
  table: string;
  search: string;
  most: number;
  /** The name as it is written, for typed letters that have no key of their own: "aa" of Aarav. */
  name?: RawBuilder<string>;
  /** Another reason to find a row, such as its mobile number. */
  also?: RawBuilder<SqlBool>;
  /** The order of equally good rows. */
  sort: readonly RawBuilder<unknown>[];
}

/** The ten digits of a mobile number, as a phone or a person writes it; undefined for any other search. */
export function searchedMobile(search: string): string | undefined {
  const number = normalMobile(search);
  return /^[0-9]{10}$/.test(number) ? number : undefined;
}

/** The digits of a mobile number or of a part of it, at least so many, without the country's code; '' for any other search. */
export function mobilePart(search: string, least: number): string {
  const digits = normalMobile(search);
  return /^[0-9]+$/.test(digits) && digits.length >= least ? digits : '';
}

/** The words of a search, with digits as 0 to 9 and letters of full width as usual letters; a mobile number is one word, in the form in which it is stored. */
export const wordsOf = (search: string): string[] => {
  const mobile = searchedMobile(search);
  return mobile ? [mobile] : cleanCode(search).split(/\s+/).filter(Boolean);
};

/** The zero of each script whose digits are typed in India, and of full width. */
const zeros = [...'0०০੦૦୦௦౦೦൦٠۰０'].map((zero) => zero.codePointAt(0) ?? 0);
/** Marks that are typed for one another. */
const alike = [
  "'\u2018\u2019\u02bc\u2032\u00b4`",
  '"\u201c\u201d\u2033',
  '-\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
];

function patternOf(mark: string): string {
  const code = mark.codePointAt(0) ?? 0;
  const zero = zeros.find((zero) => code >= zero && code <= zero + 9);
  const same =
    zero === undefined
      ? alike.find((marks) => marks.includes(mark))
      : zeros.map((other) => String.fromCodePoint(other + code - zero)).join('');
  if (same) return `[${same.replace('-', '\\-')}]`;
  // A joiner may follow a letter of India.
  return code < 128 ? mark.replace(/[^0-9A-Za-z ]/, '\\$&') : `${mark}[\u200c\u200d]*`;
}

/**
 * Whether a text contains what was typed, in any case, with any digits, quotes and dashes, with or without joiners. Names of people
 * are found by `containsName`.
 */
export const containsText = (words: RawBuilder<unknown>, search: string) =>
  sql<SqlBool>`${words} ~* ${[...cleanLine(search).replace(/[\u200c\u200d]/g, '')].map(patternOf).join('')}`;

const mostWords = 6;
/** Fewer letters are similar to too many names. */
const leastLetters = 3;

/** The column with the key of names: several tables of a query may have one. */
const nameKey = (table: string) => sql.ref<string>(`${table}.search_key`);
type Key = ReturnType<typeof nameKey>;

// Keys of words are computed once and not for each row.
const keyOf = (word: string) => sql<string>`(select search_key(${word}))`;
const isNamed = (word: string) => /[\p{L}\p{N}]/u.test(word);
const isNumber = (word: string) => /\p{N}/u.test(word);

const beginsKey = (key: Key, word: string) => sql<SqlBool>`${key} like (select '%' || search_key(${word}) || '%')`;
const beginsName = (key: Key, word: string) => sql<SqlBool>`${key} like (select search_key(${word}) || '%')`;
const isWhole = (key: Key, word: string) =>
  sql<SqlBool>`${key} || ' ' like (select '%' || search_key(${word}) || ' %')`;

/** A key of one letter, which "zzzz" has as well as "Z", is in nearly every name; the space before it counts. */
const isShort = (word: string) => sql<SqlBool>`length(search_key(${word})) < 3`;

/** Where a word has a short key, rows in which a word of the name begins as it is typed; else every row. */
const isAsTyped = (key: Key, word: string, name = sql<string>`ltrim(${key})`) =>
  sql<SqlBool>`' ' || lower(${name}) like (select case when ${isShort(word)} then lower(${contains(` ${word}`)}) else '%' end)`;

const beginsWord = (key: Key, word: string, name?: RawBuilder<string>) =>
  isNumber(word) ? beginsKey(key, word) : sql<SqlBool>`${beginsKey(key, word)} and ${isAsTyped(key, word, name)}`;

/** One word alone must share more than a beginning, or "Bhavin" would find every Bhatt. */
const isSimilar = (key: Key, word: string, name: RawBuilder<string> | undefined, isAlone: boolean) => {
  const typed = keyOf(word);
  const isLike = isAlone
    ? sql`(word_similarity(${typed}, ${key}) > 0.5 or strict_word_similarity(${typed}, ${key}) >= 0.4)`
    : sql`true`;
  return sql<SqlBool>`${key} %> ${typed} and ${isLike} and ${isAsTyped(key, word, name)}`;
};

/** An order in which names with a word that begins as typed come first: for "diya", Diya Shah before Aarav Kakadiya. */
export const beginsFirst = (name: RawBuilder<unknown>, search: string) =>
  sql`' ' || lower(${name}) like lower(${contains(` ${search.trim()}`)}) desc`;

const all = (conditions: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;

/** The rows of a table with the column `search_key`, by its name in the query, in which each word begins one of the name; of no words none. */
export const beginsWords = (table: string, words: readonly string[]) =>
  words.length === 0 ? sql<SqlBool>`false` : all(words.map((word) => beginsKey(nameKey(table), word)));

/**
 * The rows of a table with the column `search_key`, by its name in the query, in which a typed word stands anywhere, in
 * any of the scripts; a word with a short key as it is typed.
 */
export const containsName = (table: string, word: string) =>
  isNamed(word)
    ? sql<SqlBool>`${nameKey(table)} like (select case when ${isShort(word)} then lower(${contains(word)})
        else '%' || ltrim(search_key(${word})) || '%' end)`
    : sql<SqlBool>`false`;

/** As `containsName`; of a word that no row of `seen` contains, such as a misspelt one, the rows with a similar word. */
export const containsLikeName = <DB, TB extends keyof DB, Row>(
  table: string,
  word: string,
  seen: SelectQueryBuilder<DB, TB, Row>,
): RawBuilder<SqlBool> =>
  isNumber(word) || word.length < leastLetters
    ? containsName(table, word)
    : sql<SqlBool>`(${containsName(table, word)} or (not exists (${seen.where(containsName(table, word))})
        and ${isSimilar(nameKey(table), word, undefined, true)}))`;

/**
 * The rows of `table`, which has the column `search_key`, in which each typed word begins a word, in any of the scripts, those
 * with whole words first. If there are fewer than `most`, rows with similar words follow, the most similar first; a
 * number is never similar.
 */
export async function findByWords<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { table, search, most, name, also, sort }: Search,
): Promise<(Row & { closeness: number })[]> {
  const words = wordsOf(search).filter(isNamed).slice(0, mostWords);
  const [first] = words;
  if (first === undefined) return [];
  const key = nameKey(table);
  const begins = all(words.map((word) => beginsWord(key, word, name)));
  const isExact = also ? sql<SqlBool>`(${begins} or ${also})` : begins;
  const read = (
    where: RawBuilder<SqlBool>,
    closeness: RawBuilder<number>,
    by: readonly RawBuilder<unknown>[],
    most: number,
  ) =>
    ordered(query.where(where).select(closeness.as('closeness')), [sql`closeness desc`, ...by, ...sort])
      .limit(most)
      .execute() as Promise<(Row & { closeness: number })[]>;
  const exact = await read(
    isExact,
    sql`case when ${all(words.map((word) => isWhole(key, word)))} then 2 else 1 end`,
    [
      // Raman before Rahman, whose key is the same.
      ...(name ? [beginsFirst(name, words.join(' '))] : []),
      sql`${beginsName(key, first)} desc`,
    ],
    most,
  );

  const names = words.filter((word) => !isNumber(word));
  if (exact.length >= most || names.join('').length < leastLetters) return exact;
  const similar = words.map((word) =>
    isNumber(word) ? beginsKey(key, word) : isSimilar(key, word, name, words.length === 1),
  );
  const nearness = names.map((word) => sql`word_similarity(${keyOf(word)}, ${key})`);
  const near = await read(
    sql`${all(similar)} and not ${isExact}`,
    sql`(${sql.join(nearness, sql` + `)}) / ${names.length}::integer`,
    [],
    most - exact.length,
  );
  return [...exact, ...near];
}

const ordered = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  sort: readonly RawBuilder<unknown>[],
) => sort.reduce((sorted, by) => sorted.orderBy(by), query);
