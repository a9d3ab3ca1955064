import { sql } from 'kysely';
import { offeredLanguages, readLanguages } from '#features/school/api.ts';
import { AppError, problemMessage } from '#kit/contract/errors.ts';
import { type Language, languages } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { requireRowVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';

/** Who named the language in which a guardian is written to. */
type By = 'Guardian' | 'School';

interface Choice {
  guardianId: number;
  language: Language;
  by: By;
  /** Of what the office saw; the guardian's own tap counts whatever was there. */
  version?: number;
}

/** Keeps the language in which a guardian is written to. */
export async function keepLanguage(ctx: Context, { guardianId, language, by, version }: Choice): Promise<void> {
  if (!(await offeredLanguages(ctx)).includes(language))
    throw new AppError('invalid', problemMessage, {
      fields: {
        language: text`The school does not offer ${{ language: languages[language].name }}. Choose another language.`,
      },
    });
  // Creates the row, so that two first choices wait for each other.
  const before = await ctx.db
    .insertInto('guardian_preference')
    .values({ guardian_id: guardianId, set_by: by, version: 0 })
    .onConflict((conflict) => conflict.column('guardian_id').doUpdateSet({ guardian_id: guardianId }))
    .returning(['language', 'set_by', 'version', 'changed_at as updated_at'])
    .executeTakeFirstOrThrow();
  if (version !== undefined) requireRowVersion(before, version);
  if (before.language === language && before.set_by === by) return;
  await ctx.db
    .updateTable('guardian_preference')
    .set({ language, set_by: by, version: sql`version + 1`, changed_at: ctx.now() })
    .where('guardian_id', '=', guardianId)
    .execute();
  await audit(ctx, {
    ...(by === 'Guardian' && { actor: 'Parent' }),
    action: 'family.language.chosen',
    entity: 'guardian',
    entityId: guardianId,
    details: { Language: `${before.language || '–'} → ${language}` },
  });
}

/** The language of an admission's form, for the adults of its child who have none: a family known from a sister's child keeps its own. */
export const keepFormLanguage = ({ db }: Context, studentId: number, language: Language) =>
  sql`insert into guardian_preference (guardian_id, language, set_by)
    select bond.guardian_id, ${language}::text, 'Form' from student_guardian bond
    where bond.student_id = ${studentId} and bond.role in ('Parent', 'Guardian')
    order by bond.guardian_id
    on conflict (guardian_id) do update set language = excluded.language, set_by = excluded.set_by,
      version = guardian_preference.version + 1
    where guardian_preference.language = ''`.execute(db);

/** The language in which a guardian is written to; undefined where it is not known or no longer offered. */
export async function languageOfGuardian(
  services: Pick<Context, 'db'>,
  guardianId: number,
): Promise<Language | undefined> {
  const { rows } = await sql<{ language: string }>`select guardian_language(${guardianId}) as language`.execute(
    services.db,
  );
  return (await offeredLanguages(services)).find((language) => language === rows[0]?.language);
}

/** The language of a message to a guardian: the one where none is known, if theirs is not. */
export const languageOfReader = async (services: Pick<Context, 'db'>, guardianId: number): Promise<Language> =>
  (await languageOfGuardian(services, guardianId)) ?? (await readLanguages(services)).usual;

/** The languages of messages to these guardians; of one that is missing the one where none is known. */
export async function languagesOfReaders(
  services: Pick<Context, 'db'>,
  guardianIds: readonly number[],
): Promise<(guardianId: number) => Language> {
  const { rows } = await sql<{ id: number; language: string }>`
    select id, guardian_language(id) as language from unnest(${[...guardianIds]}::integer[]) as id`.execute(
    services.db,
  );
  const { usual } = await readLanguages(services);
  const offered = await offeredLanguages(services);
  const chosen = new Map(rows.map(({ id, language }) => [id, offered.find((one) => one === language)]));
  return (id) => chosen.get(id) ?? usual;
}
