import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import { type Language, languages, translatedLanguages } from '#kit/contract/languages.ts';
import { english, text } from '#kit/contract/text.ts';
import { keyOf } from '#kit/contract/text-key.ts';
import type { Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { readCatalogue } from '#kit/server/language/catalogue.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type LanguageArea, languageApi, languageAreas, textsOnPage } from '../contract/language.ts';

/** Where the translated texts of an area are. */
export const catalogues: Record<LanguageArea, readonly string[]> = {
  form: ['consent', 'form', 'end', 'words/form'],
  family: ['family', 'family-more', 'words/family', 'words/family-more'],
  message: ['words/server'],
};

const places = translatedLanguages.flatMap((language) => languageAreas.map((area) => ({ language, area })));

const areaWords = {
  form: text`Admission form and consent`,
  family: text`Family page`,
  message: text`Messages and refusals`,
} as const satisfies Record<LanguageArea, unknown>;

interface Translated {
  english: string;
  translation: string;
  /** Another one where either of them changes. */
  key: string;
}

const kept = new Map<string, readonly Translated[]>();

/** The texts of an area; read at the first use, for the life of the process. */
function textsOf(language: Language, area: LanguageArea): readonly Translated[] {
  const name = `${language}/${area}`;
  const found = kept.get(name) ?? readTexts(language, area);
  kept.set(name, found);
  return found;
}

const readTexts = (language: Language, area: LanguageArea) =>
  catalogues[area]
    .flatMap((name) => readCatalogue(join(import.meta.dirname, '../../../locales', name, `${language}.po`)))
    .map(({ id, translation }) => ({ english: id, translation, key: keyOf(`${id}\n${translation}`) }));

/** Names the texts of an area as they are now. */
const seenOf = (texts: readonly Translated[]) =>
  createHash('sha256')
    .update(texts.map(({ key }) => key).join(' '))
    .digest('hex')
    .slice(0, 16);

const readMarks = ({ db }: Pick<Services, 'db'>) =>
  db
    .selectFrom('language_read as mark')
    .innerJoin('staff', 'staff.id', 'mark.read_by')
    .select(['mark.language', 'mark.area', 'mark.words', 'mark.read_at', 'staff.name'])
    .execute();

/** The languages in which the school has not read the pages of families, which then say that they were translated by computer. */
export async function findUnread({ db }: Pick<Services, 'db'>) {
  const marks = await db.selectFrom('language_read').select(['language', 'area']).execute();
  const unreadOf = (area: LanguageArea) =>
    translatedLanguages.filter((language) => !marks.some((mark) => mark.language === language && mark.area === area));
  return { form: unreadOf('form'), family: unreadOf('family') };
}

const list: Handler<typeof languageApi.list> = async (ctx) => {
  const marks = await readMarks(ctx);
  const { rows: families } = await sql<{ language: (typeof translatedLanguages)[number]; count: number }>`
    select language, count(*)::integer as count from guardian_preference
    where language = any(${translatedLanguages}::text[]) group by language order by language`.execute(ctx.db);
  const rows = places.map(({ language, area }) => {
    const texts = textsOf(language, area);
    const mark = marks.find((one) => one.language === language && one.area === area);
    const known = new Set(mark?.words);
    return {
      ...{ language, area, texts: texts.length, seen: seenOf(texts) },
      changed: mark ? texts.filter(({ key }) => !known.has(key)).length : 0,
      readBy: mark?.name ?? null,
      readOn: mark ? toLocalDate(mark.read_at) : '',
    };
  });
  return { rows, families };
};

const texts: Handler<typeof languageApi.texts> = async (ctx, { language, area, page }) => {
  const all = textsOf(language, area);
  const mark = (await readMarks(ctx)).find((one) => one.language === language && one.area === area);
  const known = new Set(mark?.words);
  const ordered = all
    .map(({ key, ...one }) => ({ ...one, isNew: !known.has(key) }))
    .sort((one, other) => Number(other.isNew) - Number(one.isNew));
  return { rows: ordered.slice(((page ?? 1) - 1) * textsOnPage, (page ?? 1) * textsOnPage), total: all.length };
};

const mark: Handler<typeof languageApi.mark> = async (ctx, { language, area, seen, isRead }) => {
  const all = textsOf(language, area);
  // A new version of the program has brought other texts.
  if (seen !== seenOf(all)) throw new AppError('stale', staleMessage);
  const { id } = isRead
    ? await ctx.db
        .insertInto('language_read')
        .values({ language, area, words: all.map(({ key }) => key), read_by: ctx.user.staffId, read_at: ctx.now() })
        .onConflict((conflict) =>
          conflict.columns(['language', 'area']).doUpdateSet({
            words: sql`excluded.words`,
            read_by: sql`excluded.read_by`,
            read_at: sql`excluded.read_at`,
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
    : await ctx.db
        .deleteFrom('language_read')
        .where('language', '=', language)
        .where('area', '=', area)
        .returning('id')
        .executeTakeFirstOrThrow(() => new AppError('stale', staleMessage));
  await audit(ctx, {
    action: isRead ? 'language.read' : 'language.unread',
    entity: 'language_read',
    entityId: id,
    details: { Language: languages[language].name, Texts: english(areaWords[area]) },
  });
  return {};
};

export default routes(languageApi, { list, texts, mark });
