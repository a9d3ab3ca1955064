import { splitLetter } from '#kit/contract/letter-pair.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { Context } from '#kit/server/context.ts';
import { proposeWord } from '#kit/server/import/propose-word.ts';

/** How files name the active sections of a year: "7 B", "VII B" or "7b", or "7" and "B" apart. */
export async function readSectionWords({ db }: Pick<Context, 'db'>, academicYearId: number) {
  const rows = await db
    .selectFrom('academic_section as section')
    .innerJoin('academic_grade as grade', 'grade.id', 'section.grade_id')
    .innerJoin('academic_program as program', 'program.id', 'section.program_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'section.branch_id')
    .where('section.academic_year_id', '=', academicYearId)
    .where('section.is_active', '=', true)
    .select(['section.id', 'section.grade_id as gradeId', 'program.name as program', 'branch.name as branch'])
    .select(['grade.name as grade', 'section.name as letter'])
    .select(({ fn }) => fn<string>('academic_section_name', ['grade.name', 'section.name']).as('name'))
    .execute();
  const byName = Map.groupBy(rows, ({ name }) => sameText(name));
  const byLetter = Map.groupBy(rows, ({ letter }) => sameText(letter));
  /** The sections of this name, else those whose grade and letter it means. */
  return (words: string, ofGrade: string) => {
    const own = byName.get(sameText(words));
    const parts = own ? undefined : ofGrade ? [ofGrade, words] : splitLetter(words);
    if (!parts) return own ?? [];
    const [grade = '', letter = ''] = parts;
    const found = byLetter.get(sameText(letter)) ?? [];
    const meant = proposeWord(grade, [...new Set(found.map((one) => one.grade))]);
    return found.filter((one) => one.grade === meant);
  };
}
