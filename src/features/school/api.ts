import { sql } from 'kysely';
import { financialYearOf, type YearNames } from '#kit/contract/numbering.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { ReadRegisteredTexts } from '#kit/server/messages/text-message.ts';

export { offeredLanguages, readLanguages, readLocalLanguage, stillOffered } from './server/languages.ts';
export { lookupRoutes, lookupsOf } from './server/lookup.ts';
export { readSchoolHead } from './server/school.ts';

/** The school's name in a message. */
export const readSchoolName = async ({ db }: Pick<Context, 'db'>): Promise<string> =>
  (await db.selectFrom('academic_school').select('name').executeTakeFirst())?.name ?? 'School';

/** The texts of text messages that are registered with the operators, by kind. */
export const readRegisteredTexts: ReadRegisteredTexts = async ({ db }) => {
  const rows = await db
    .selectFrom('sms_template')
    .select(['kind', 'language', 'template_id', 'registered_text', 'pattern'])
    .execute();
  return new Map(
    rows.map(({ kind, language, template_id, registered_text, pattern }) => [
      `${kind} ${language}`,
      { templateId: template_id, text: registered_text, pattern },
    ]),
  );
};

/** The names of today's years, for a number. A document of another academic year overrides that one. */
export async function yearNames({ db, now }: Pick<Context, 'db' | 'now'>): Promise<YearNames> {
  const school = await db.selectFrom('academic_school').select('financial_year_month').executeTakeFirst();
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${toLocalDate(now())}::date)`)
    .select('name')
    .executeTakeFirst();
  return {
    academicYear: year?.name ?? '',
    financialYear: financialYearOf(toLocalDate(now()), school?.financial_year_month ?? 4),
  };
}
