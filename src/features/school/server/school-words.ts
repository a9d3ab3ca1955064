import { sql } from 'kysely';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import { type Language, languages, translatedLanguages } from '#kit/contract/languages.ts';
import type { Services } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { schoolWordsApi } from '../contract/school-words.ts';

const readEnglish = ({ db }: Pick<Services, 'db'>) =>
  db.selectFrom('academic_school').select(['hours', 'hospital_text as hospitalText']).executeTakeFirst();

const readRows = ({ db }: Pick<Services, 'db'>) => db.selectFrom('academic_school_words').selectAll().execute();

/** The school's words in each language, but for those whose English has changed since they were translated. */
export async function readSchoolWords(ctx: Pick<Services, 'db'>) {
  const english = await readEnglish(ctx);
  const rows = await readRows(ctx);
  const found: { [language in Language]?: { officeHours: string; hospitalText: string } } = {};
  for (const row of rows)
    found[row.language as Language] = {
      officeHours: row.hours_of === english?.hours ? row.hours : '',
      hospitalText: row.hospital_text_of === english?.hospitalText ? row.hospital_text : '',
    };
  return found;
}

const list: Handler<typeof schoolWordsApi.list> = async (ctx) => {
  const english = (await readEnglish(ctx)) ?? { hours: '', hospitalText: '' };
  const rows = await readRows(ctx);
  return {
    rows: translatedLanguages.map((language) => {
      const row = rows.find((one) => one.language === language);
      const [hours, hospitalText] = [row?.hours ?? '', row?.hospital_text ?? ''];
      return {
        ...{ language, english, hours, hospitalText },
        isMissing: hours === '' || hospitalText === '',
        isOld:
          row !== undefined &&
          ((hours !== '' && row.hours_of !== english.hours) ||
            (hospitalText !== '' && row.hospital_text_of !== english.hospitalText)),
        rowVersion: row?.version ?? 0,
      };
    }),
  };
};

const save: Handler<typeof schoolWordsApi.save> = async (ctx, { language, hours, hospitalText, rowVersion }) => {
  // The English may not change until this has been stored beside it.
  const english = await ctx.db
    .selectFrom('academic_school')
    .select(['hours', 'hospital_text'])
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('stale', staleMessage));
  const values = {
    hours,
    hours_of: english.hours,
    hospital_text: hospitalText,
    hospital_text_of: english.hospital_text,
  };
  const { id } = await ctx.db
    .insertInto('academic_school_words')
    .values({ language, ...values })
    .onConflict((conflict) =>
      conflict
        .column('language')
        .doUpdateSet({ ...values, version: sql`academic_school_words.version + 1` })
        .where('academic_school_words.version', '=', Number(rowVersion)),
    )
    .returning('id')
    .executeTakeFirstOrThrow(() => new AppError('stale', staleMessage));
  await audit(ctx, {
    action: 'school.words-changed',
    entity: 'academic_school_words',
    entityId: id,
    details: { Language: languages[language].name, hours, hospitalText },
  });
  return {};
};

export default routes(schoolWordsApi, { list, save });
