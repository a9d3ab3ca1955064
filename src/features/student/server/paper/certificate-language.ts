import { sql } from 'kysely';
import { type LocalLanguage, localKeys } from '#features/school/contract/local-language.ts';
import type { Language } from '#kit/contract/languages.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { CertificateKind, Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { say } from '#kit/server/language/say.ts';
import type { CertificateLanguage } from '../../contract/certificate.ts';
import type { CertificateFacts } from './certificate-facts.ts';

const halves: Record<CertificateLanguage, readonly [Language, ...Language[]]> = {
  English: ['en'],
  Gujarati: ['gu'],
  'English and Gujarati': ['en', 'gu'],
  Hindi: ['hi'],
};

/** The languages of a certificate, in their order on the paper. Those from before they were chosen are in English. */
export const languagesOf = (language: string | undefined): readonly [Language, ...Language[]] =>
  halves[(language || 'English') as CertificateLanguage];

const localFacts = ['name', 'father', 'mother', 'birthPlace'] as const;

/** Facts with the names that the register has in a language. */
export function factsIn(facts: object, language: Language): object {
  const { local } = facts as Partial<CertificateFacts>;
  if (!local || localKeys[local.language] !== language) return facts;
  const names = localFacts.flatMap((fact) => {
    const name = local[fact];
    if (name === '') return [];
    return [[fact, local.late.includes(fact) ? say(language)(text`Late ${{ name }}`) : name]];
  });
  return { ...facts, ...Object.fromEntries(names) };
}

/** The names that a certificate prints in English letters, though it is in another script. */
export function inEnglishLetters(kind: CertificateKind, facts: CertificateFacts, language: string): Text[] {
  const own = languagesOf(language).find((one) => one !== 'en');
  if (!own) return [];
  const shown = factsIn(facts, own) as CertificateFacts;
  const expected = kind.expects.filter(({ fact }) => localFacts.some((name) => name === fact));
  return [{ fact: 'name', label: text`Name of the student` }, ...expected]
    .filter(({ fact }) => /[A-Za-z]/.test(shown[fact as (typeof localFacts)[number]]))
    .map(({ label }) => label);
}

/**
 * The language in which schools of a medium write certificates: in Gujarat that of the medium, and beside English from
 * Class 9 on. Of a student who has left, the last section counts; one without a section has English.
 */
export async function proposedLanguages(
  { db, now }: Pick<Context, 'db' | 'now'>,
  ids: readonly number[],
): Promise<(id: number) => CertificateLanguage> {
  const { rows } = await sql<{ id: number; medium: LocalLanguage | 'English'; stage: string }>`
    select asked.id, section.medium, grade.stage from unnest(${[...ids]}::integer[]) as asked (id)
    left join student_leaving leaving on leaving.student_id = asked.id and leaving.undone_at is null
      and leaving.readmitted_on is null
    cross join student_place(asked.id, least(leaving.last_day, ${toLocalDate(now())}::date)) place
    join academic_section section on section.id = place.section_id
    join academic_grade grade on grade.id = place.grade_id`.execute(db);
  const proposed = new Map(
    rows.map(({ id, medium, stage }) => [
      id,
      medium === 'Gujarati' && stage === 'Secondary' ? ('English and Gujarati' as const) : medium,
    ]),
  );
  return (id) => proposed.get(id) ?? 'English';
}
