import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { createEntered } from '#kit/server/master/create-all.ts';
import { audit } from '#kit/server/security/audit.ts';
import { subjectMaster } from '../contract/masters.ts';
import { usualSubjects } from '../contract/usual.ts';

interface ProgramYear {
  academicYearId: number;
  programId: number;
  /** '' of a program that is no stream. */
  stream: string;
}

/** Adds the usual subjects that are missing, and makes them compulsory in each class that has no subjects yet. */
export async function addUsualSubjects(
  ctx: UserContext,
  { academicYearId, programId, stream }: ProgramYear,
  classes: readonly { gradeId: number; level: number }[],
  from: string,
): Promise<{ added: number; alreadyThere: number }> {
  const { db } = ctx;
  const taken = await db
    .selectFrom('configuration_grade_subject')
    .where('academic_year_id', '=', academicYearId)
    .where('program_id', '=', programId)
    .select('grade_id')
    .execute();
  const withSubjects = new Set(taken.map(({ grade_id }) => grade_id));
  const wanted = classes.flatMap(({ gradeId, level }) =>
    usualSubjects
      .filter((one) => one.from <= level && level <= one.to && (!one.stream || one.stream === stream))
      .map(({ code }) => ({ gradeId, code })),
  );
  const missing = wanted.filter(({ gradeId }) => !withSubjects.has(gradeId));
  const ids = await idsOf(ctx, new Set(missing.map(({ code }) => code)), from);
  const rows = missing.map(({ gradeId, code }) => ({
    academic_year_id: academicYearId,
    program_id: programId,
    grade_id: gradeId,
    subject_id: ids.get(code) ?? 0,
    is_compulsory: true,
  }));
  await insertRows(db, 'configuration_grade_subject', rows);
  if (rows.length > 0)
    await audit(ctx, {
      action: 'grade-subject.changed',
      entity: 'academic_program',
      entityId: programId,
      details: { added: rows.length, from },
    });
  return { added: rows.length, alreadyThere: wanted.length - rows.length };
}

/** The subjects by their codes; those that the school lacks are added. */
async function idsOf(ctx: UserContext, codes: ReadonlySet<string>, from: string): Promise<Map<string, number>> {
  const there = await ctx.db.selectFrom('configuration_subject').select(['id', 'name', 'code']).execute();
  const wanted = usualSubjects.filter(({ code }) => codes.has(code));
  const known = wanted.flatMap(({ name, code }): [string, number][] => {
    const found = there.find((one) => sameText(one.name) === sameText(name) || sameText(one.code) === sameText(code));
    return found ? [[code, found.id]] : [];
  });
  const ids = new Map(known);
  const missing = wanted.filter(({ code }) => !ids.has(code));
  const made = await createEntered(
    ctx,
    subjectMaster,
    missing.map(({ name, code, kind, hasPractical = false }) => ({
      ...{ name, code, kind, hasPractical, shortName: code },
    })),
    from,
  );
  for (const [index, { id }] of made.entries()) ids.set(missing[index]?.code ?? '', id);
  return ids;
}
