import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Page } from '#kit/contract/page.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from './context.ts';

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
}

/** The records of one kind that the header's search finds, for those who have its roles and sets. */
export interface SearchGroup extends Pick<Page, 'roles' | 'sets'> {
  /** Its word in the answer and in what browsers keep. */
  kind: string;
  title: Text;
  /** At most `most` records that this user may see, the best first. */
  find: (ctx: UserContext, search: string, most: number) => Promise<SearchHit[]>;
}

interface Search {
  search: string;
  most: number;
  /** Another reason to find a row, such as its mobile number. */
  also?: RawBuilder<SqlBool>;
  /** The order of equally good rows. */
  sort: readonly RawBuilder<unknown>[];
}

const mostWords = 6;
/** Fewer letters are similar to too many names. */
const leastLetters = 3;

// Computed once and not for each row.
const keyOf = (word: string) => sql<string>`(select search_key(${word}))`;
const isNamed = (word: string) => /[\p{L}\p{N}]/u.test(word);
const beginsWord = (word: string) => sql<SqlBool>`search_key like (select '%' || search_key(${word}) || '%')`;
const beginsName = (word: string) => sql<SqlBool>`search_key like (select search_key(${word}) || '%')`;

/** The rows of a table with the column `search_key` in which a typed word stands anywhere, in any of the scripts. */
export const containsName = (word: string) =>
  isNamed(word) ? sql<SqlBool>`search_key like (select '%' || ltrim(search_key(${word})) || '%')` : sql<SqlBool>`false`;

/**
 * The rows of a table with the column `search_key` in which each typed word begins a word, in any of the scripts. If there
 * are fewer than `most`, rows with similar words follow, the most similar first; a number is never similar.
 */
export async function findByWords<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { search, most, also, sort }: Search,
): Promise<Row[]> {
  const words = search.split(/\s+/).filter(isNamed).slice(0, mostWords);
  const [first] = words;
  if (first === undefined) return [];
  const begins = sql<SqlBool>`(${sql.join(words.map(beginsWord), sql` and `)})`;
  const isExact = also ? sql<SqlBool>`(${begins} or ${also})` : begins;
  const exact = await ordered(query.where(isExact), [sql`${beginsName(first)} desc`, ...sort])
    .limit(most)
    .execute();

  const isNumber = (word: string) => /\p{N}/u.test(word);
  const names = words.filter((word) => !isNumber(word));
  if (exact.length >= most || names.join('').length < leastLetters) return exact;
  const similar = words.map((word) => (isNumber(word) ? beginsWord(word) : sql<SqlBool>`search_key %> ${keyOf(word)}`));
  const nearness = names.map((word) => sql`word_similarity(${keyOf(word)}, search_key)`);
  const near = await ordered(
    query.where(sql<SqlBool>`(${sql.join(similar, sql` and `)})`).where(sql<SqlBool>`not ${isExact}`),
    [sql`(${sql.join(nearness, sql` + `)}) desc`, ...sort],
  )
    .limit(most - exact.length)
    .execute();
  return [...exact, ...near];
}

const ordered = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  sort: readonly RawBuilder<unknown>[],
) => sort.reduce((sorted, by) => sorted.orderBy(by), query);
