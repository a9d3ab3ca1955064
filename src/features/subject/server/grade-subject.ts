import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { gradeSubjectApi } from '../contract/grade-subject.ts';
import { copyGradeSubjects } from './copy-subjects.ts';

interface ProgramOfYear {
  academicYearId: number;
  programId: number;
}

const takenOf = (row: { is_compulsory: boolean; elective_group_id: number | null }) =>
  row.is_compulsory ? 'C' : `E${row.elective_group_id ?? ''}`;

const cellsOf = ({ db }: Pick<Context, 'db'>, { academicYearId, programId }: ProgramOfYear) =>
  db
    .selectFrom('configuration_grade_subject')
    .where('academic_year_id', '=', academicYearId)
    .where('program_id', '=', programId)
    .select(['grade_id', 'subject_id', 'is_compulsory', 'elective_group_id'])
    .orderBy('id');

const read: Handler<typeof gradeSubjectApi.read> = async (ctx, place) => {
  const { db } = ctx;
  const year = await readYear(ctx, place.academicYearId);
  const [grades, subjects, groups, cells] = await Promise.all([
    db.selectFrom('academic_grade').where('is_active', '=', true).select(['id', 'name']).orderBy('position').execute(),
    db
      .selectFrom('configuration_subject')
      .where('is_active', '=', true)
      .select(['id', 'name'])
      .orderBy(sql`lower(name)`)
      .execute(),
    db
      .selectFrom('configuration_elective_group')
      .where('is_active', '=', true)
      .select(['id', 'name'])
      .orderBy(sql`lower(name)`)
      .execute(),
    cellsOf(ctx, place).execute(),
  ]);
  return {
    grades,
    subjects,
    groups,
    isClosed: year.status === 'Closed',
    cells: cells.map((row) => ({ gradeId: row.grade_id, subjectId: row.subject_id, taken: takenOf(row) })),
  };
};

const programs: Handler<typeof gradeSubjectApi.programs> = async (ctx, { academicYearId }) => {
  await readYear(ctx, academicYearId);
  const rows = await ctx.db
    .selectFrom('configuration_grade_subject')
    .where('academic_year_id', '=', academicYearId)
    .groupBy('program_id')
    .select('program_id')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('program_id')
    .execute();
  return rows.map(({ program_id }) => program_id);
};

const save: Handler<typeof gradeSubjectApi.save> = async (ctx, { changes, ...place }) => {
  const { db } = ctx;
  const { name } = await lockOpenYear(ctx, place.academicYearId);
  const stored = new Map(
    (await cellsOf(ctx, place).execute()).map((row) => [`${row.grade_id} ${row.subject_id}`, takenOf(row)]),
  );
  const isOld = ({ gradeId, subjectId, before }: (typeof changes)[number]) =>
    (stored.get(`${gradeId} ${subjectId}`) ?? '') !== before;
  if (changes.some(isOld)) throw stale();

  const rows = changes.map(({ gradeId, subjectId, after }) => ({
    grade_id: gradeId,
    subject_id: subjectId,
    is_compulsory: after === 'C',
    elective_group_id: Number(after.slice(1)) || null,
    is_taken: after !== '',
  }));
  const input = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as input (grade_id integer, subject_id integer, is_compulsory boolean, elective_group_id integer, is_taken boolean)`;
  await refuseTaught(ctx, place, input);
  await refuseChosen(ctx, place, input);
  try {
    await sql`delete from configuration_grade_subject as own using ${input}
      where own.academic_year_id = ${place.academicYearId} and own.program_id = ${place.programId}
        and own.grade_id = input.grade_id and own.subject_id = input.subject_id and not input.is_taken`.execute(db);
    await sql`insert into configuration_grade_subject
        (academic_year_id, program_id, grade_id, subject_id, is_compulsory, elective_group_id)
      select ${place.academicYearId}, ${place.programId}, input.grade_id, input.subject_id, input.is_compulsory,
        input.elective_group_id
      from ${input} where input.is_taken
      on conflict (academic_year_id, program_id, grade_id, subject_id)
        do update set is_compulsory = excluded.is_compulsory, elective_group_id = excluded.elective_group_id`.execute(
      db,
    );
  } catch (error) {
    // Two changes of the same cell in one request, or a deleted grade, subject or group.
    if (error instanceof pg.DatabaseError && ['21000', '23503'].includes(error.code ?? ''))
      throw new AppError('conflict', staleMessage);
    if (error instanceof pg.DatabaseError && error.constraint === 'student_subject_most')
      throw new AppError('conflict', tooManyMessage);
    if (isDuplicate(error)) throw stale();
    throw error;
  }
  const details = {
    year: name,
    added: rows.filter(({ is_taken }) => is_taken).length,
    removed: rows.filter(({ is_taken }) => !is_taken).length,
  };
  await audit(ctx, { action: 'grade-subject.changed', entity: 'academic_program', entityId: place.programId, details });
  return {};
};

const tooManyMessage = text`Some students would have too many electives. Change their electives first.`;

const mostNamed = 10;
function listed(rows: readonly { what: string }[]): Text {
  const names = rows
    .slice(0, mostNamed)
    .map(({ what }) => what)
    .join('; ');
  return rows.length > mostNamed ? text`${{ names }} and more` : verbatim(names);
}

/** Refuses to remove subjects that have teachers, with their names. */
async function refuseTaught(
  { db }: UserContext,
  { academicYearId, programId }: ProgramOfYear,
  values: RawBuilder<unknown>,
) {
  const { rows } = await sql<{ what: string }>`
    select academic_section_name(grade.name, section.name) || ': ' || subject.name || ' (' || staff.name || ')' as what
    from ${values}
    join academic_section_teacher own on own.academic_year_id = ${academicYearId} and own.program_id = ${programId}
      and own.grade_id = input.grade_id and own.subject_id = input.subject_id
    join academic_section section on section.id = own.section_id
    join academic_grade grade on grade.id = section.grade_id
    join configuration_subject subject on subject.id = own.subject_id
    join staff on staff.id = own.staff_id
    where not input.is_taken
    order by grade.position, lower(section.name), own.id limit ${mostNamed + 1}`.execute(db);
  if (rows.length === 0) return;
  throw new AppError(
    'conflict',
    text`Subjects with teachers: ${{ list: listed(rows) }}. Remove the teachers in Section Teacher Mapping first.`,
  );
}

/** Refuses to remove chosen electives, or to make them compulsory, with the students' names. */
async function refuseChosen(
  { db }: UserContext,
  { academicYearId, programId }: ProgramOfYear,
  values: RawBuilder<unknown>,
) {
  const { rows } = await sql<{ what: string }>`
    select grade.name || ': ' || subject.name || ' (' || student.name || ')' as what
    from ${values}
    join student_subject own on own.academic_year_id = ${academicYearId} and own.program_id = ${programId}
      and own.grade_id = input.grade_id and own.subject_id = input.subject_id
    join student on student.id = own.student_id
    join academic_grade grade on grade.id = own.grade_id
    join configuration_subject subject on subject.id = own.subject_id
    where input.is_compulsory or not input.is_taken
    order by grade.position, lower(subject.name), student.sort_name, student.id limit ${mostNamed + 1}`.execute(db);
  if (rows.length === 0) return;
  throw new AppError(
    'conflict',
    text`Electives already chosen: ${{ list: listed(rows) }}. Change these students’ electives first.`,
  );
}

const copy: Handler<typeof gradeSubjectApi.copy> = (ctx, { confirmToken, ...input }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { fromYearId, toYearId } = input;
    const from = await readYear(ctx, fromYearId);
    const to = await lockOpenYear(ctx, toYearId);
    const { added, alreadyThere, rows } = await copyGradeSubjects(ctx, fromYearId, toYearId);
    if (added > 0) {
      const details = { from: from.name, to: to.name, added };
      await audit(ctx, { action: 'grade-subject.copied', entity: 'academic_year', entityId: toYearId, details });
    }
    return { answer: { added, alreadyThere, left: [] }, basis: [input, rows] };
  });

export default routes(gradeSubjectApi, { read, programs, save, copy });
