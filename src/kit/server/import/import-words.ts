import { sql } from 'kysely';
import { mostWords } from '#kit/contract/import-limits.ts';
import type { ImportPlan } from '#kit/contract/import-plan.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { bare } from './read-table.ts';

/** What the school chose before, by field and word; the headings have the field ''. */
export type Remembered = ReadonlyMap<string, string>;

export const rememberedKey = (field: string, word: string) => `${field}\n${word}`;

/** Stands for rows that are left out; no entry has this name. */
export const leftOut = '\u0001';

export async function readWords({ db }: Pick<UserContext, 'db'>, kind: string): Promise<Remembered> {
  const rows = await db
    .selectFrom('import_word')
    .where('kind', '=', kind)
    .select(['field', 'word', 'choice'])
    .orderBy('used_at', 'desc')
    .limit(5000)
    .execute();
  return new Map(rows.map(({ field, word, choice }) => [rememberedKey(field, word), choice]));
}

/** Remembers what the user chose for headings and words. */
export async function rememberWords(
  { db, now }: Pick<UserContext, 'db' | 'now'>,
  kind: string,
  plan: ImportPlan | undefined,
  heads: readonly string[],
): Promise<void> {
  if (!plan) return;
  const rows = new Map<string, { field: string; word: string; choice: string }>();
  const add = (field: string, word: string, choice: string) => {
    if (word !== '' && word.length <= 200) rows.set(rememberedKey(field, word), { field, word, choice });
  };
  for (const [place, head] of heads.entries())
    if (bare(head) !== '') add('', bare(head), plan.columns[String(place)]?.to ?? '');
  for (const [field, words] of Object.entries(plan.values))
    for (const [word, choice] of Object.entries(words).slice(0, mostWords))
      add(field, sameText(word), choice === null ? leftOut : choice);
  if (rows.size === 0) return;
  await sql`insert into import_word (kind, field, word, choice, used_at)
    select ${kind}, input.field, input.word, input.choice, ${now()}
    from jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb) as input (field text, word text, choice text)
    on conflict (kind, field, word) do update set choice = excluded.choice, used_at = excluded.used_at`.execute(db);
}
