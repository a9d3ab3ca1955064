import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { type Context, contextOutside } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Paper, sheet } from '#kit/server/paper/paper.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import type { sectionStudentApi } from '../../contract/section-student.ts';

const selectPromotions = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('academic_promotion as own')
    .innerJoin('academic_year as year', 'year.id', 'own.academic_year_id')
    .innerJoin('academic_year as later', 'later.id', 'own.to_year_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'own.grade_id')
    .leftJoin('academic_grade as next', 'next.id', 'own.to_grade_id')
    .leftJoin('academic_turn as turn', 'turn.id', 'own.turn_id')
    .leftJoin('run', 'run.id', 'turn.run_id')
    .select([
      'own.id',
      'own.made_at',
      'own.made_by',
      'own.list_id',
      'own.undone_at',
      'own.undone_by',
      'year.id as yearId',
      'year.name as year',
    ])
    // The list of a turn is kept once its run is over.
    .select(sql<boolean>`run.id is not null and run.finished_at is null`.as('isRunning'))
    .select(['later.name as toYear', 'grade.name as grade', 'next.name as toGrade'])
    .select((row) =>
      (['Promoted', 'Detained', 'Left'] as const).map((status) =>
        row
          .selectFrom('student_enrollment as enrollment')
          .whereRef('enrollment.promotion_id', '=', 'own.id')
          .where('enrollment.status', '=', status)
          .select(sql<number>`count(*)`.as('count'))
          .$asScalar()
          .$notNull()
          .as(status),
      ),
    );
type Promotion = Awaited<ReturnType<ReturnType<typeof selectPromotions>['executeTakeFirstOrThrow']>>;

export const promotions: Handler<typeof sectionStudentApi.promotions> = async (ctx, { academicYearId, gradeId }) => {
  const rows = await selectPromotions(ctx)
    .where('own.academic_year_id', '=', academicYearId)
    .where('own.grade_id', '=', gradeId)
    .orderBy('own.id', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ id, made_at, made_by, toYear, Promoted, Detained, Left, undone_at, undone_by, list_id, isRunning }) => ({
    id,
    at: made_at.toISOString(),
    by: made_by,
    toYear,
    promoted: Promoted,
    detained: Detained,
    left: Left,
    undoneAt: undone_at?.toISOString() ?? '',
    undoneBy: undone_by ?? '',
    hasList: list_id !== null || (undone_at === null && !isRunning),
  }));
};

export const promotionList: Handler<typeof sectionStudentApi.promotionList> = async (ctx, { id }) => {
  const promotion = await selectPromotions(ctx).where('own.id', '=', id).executeTakeFirst();
  if (!promotion || ((promotion.undone_at || promotion.isRunning) && !promotion.list_id)) throw new AppError('not_found', notFoundMessage);
  const names = promotion.Promoted + promotion.Detained + promotion.Left;
  const act = {
    action: 'section-student.exported',
    entity: 'academic_year',
    entityId: promotion.yearId,
    details: { rows: names, what: 'promotion list', grade: promotion.grade, as: 'pdf' },
  };
  return takeNames(ctx, { ...act, names }, async () =>
    readFile(ctx, ownerOf(id), promotion.list_id ?? (await keepList(ctx, promotion))),
  );
};

const ownerOf = (id: number) => ({ table: 'academic_promotion', id });

/** Makes and stores the list, unless another request has done so. Returns the file's id. */
async function keepList(ctx: Context, promotion: Promotion): Promise<string> {
  const { id } = promotion;
  // Made before any lock is taken, and stored though its caller may be gone.
  const bytes = await ctx.makePaper(sheet, await listOf(ctx, promotion), { owner: ctx.caller.owner });
  return ctx.db.transaction().execute(async (db) => {
    const { list_id } = await db
      .selectFrom('academic_promotion')
      .where('id', '=', id)
      .select('list_id')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (list_id) return list_id;
    const name = `promotion-list-${promotion.grade}-${promotion.year}.pdf`.replaceAll(/[^\w.]+/g, '-').toLowerCase();
    const file = { name, mediaType: 'application/pdf', bytes, sha256: createHash('sha256').update(bytes).digest() };
    const kept = await saveFile({ ...contextOutside(ctx, ctx.requestId), db }, ownerOf(id), 'list', file);
    await db.updateTable('academic_promotion').set({ list_id: kept }).where('id', '=', id).execute();
    return kept;
  });
}

async function listOf(ctx: Context, promotion: Promotion): Promise<Paper> {
  const { id, year, toYear, grade, toGrade, made_at, made_by } = promotion;
  const rows = await ctx.db
    .selectFrom('student_enrollment as enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .innerJoin('academic_year as year', 'year.id', 'enrollment.academic_year_id')
    // The place at the end of the year, or of the enrolment.
    .leftJoinLateral(
      sql<{ section_id: number | null; name: string }>`student_place(student.id, year.ends_on, year.id)`.as('place'),
      (join) => join.onTrue(),
    )
    .leftJoin('academic_section as section', 'section.id', 'place.section_id')
    .where('enrollment.promotion_id', '=', id)
    .select(['student.gr_no', 'student.name', 'enrollment.status', 'enrollment.left_on'])
    .select(sql<string | null>`case when place.section_id is not null then place.name end`.as('section'))
    .orderBy(sql`lower(section.name) nulls last`)
    .orderBy('student.sort_name')
    .orderBy('student.id')
    .execute();
  const resultOf = ({ status, left_on }: { status: string; left_on: string | null }) =>
    status === 'Promoted'
      ? text`Promoted to ${{ grade: toGrade ?? '' }}`
      : status === 'Detained'
        ? text`Detained in ${{ grade }}`
        : text`Leaves on ${{ day: showDate(left_on ?? '') }}`;
  const head = await ctx.readPaperHead(ctx);
  return {
    head,
    title: text`Promotion list`,
    facts: [
      [text`Grade`, grade],
      [text`From year`, year],
      [text`Promoted to`, toYear],
      [text`Promoted`, String(promotion.Promoted)],
      [text`Detained`, String(promotion.Detained)],
      [text`Leaving`, String(promotion.Left)],
    ],
    table: {
      heads: [text`No.`, text`GR number`, text`Name`, text`Section`, text`Result`],
      rows: rows.map((row, index) => [String(index + 1), row.gr_no, row.name, row.section ?? '–', resultOf(row)]),
    },
    made: text`Promoted to ${{ toYear }} on ${{ day: showDate(toLocalDate(made_at)) }} by ${{ by: made_by }}`,
    signatures: [
      { who: text`Class teacher` },
      {
        who: head.principal ? text`Principal: ${{ name: head.principal }}` : text`Principal`,
        picture: head.signature,
      },
    ],
  };
}
