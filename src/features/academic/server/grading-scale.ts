import { sql } from 'kysely';
import { isActiveLabel } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { ConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { serveParts } from '#kit/server/record/parts.ts';
import {
  type Band,
  bandsOf,
  type GradingScale,
  gradingMessages,
  gradingScaleApi,
  scaleWords,
} from '../contract/grading-scale.ts';

const rules: ConstraintMessages = {
  table: 'academic_grading_scale',
  fields: {},
  constraintMessages: {
    academic_grading_scale_name_unique: { field: 'name', message: gradingMessages.sameName },
    academic_grading_band_grade_unique: { field: 'bands', message: gradingMessages.sameGrade },
    academic_grading_band_overlap: { field: 'bands', message: gradingMessages.wrongBands },
    academic_grading_band_gap: { field: 'bands', message: gradingMessages.wrongBands },
  },
};

/** The scales with their bands, the highest first. */
const scales = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('academic_grading_scale as scale')
    .select(['id', 'name', 'is_active as isActive', 'version'])
    .select(
      sql<Band[]>`(select coalesce(jsonb_agg(jsonb_build_object('min', min_percent, 'max', max_percent, 'grade', grade,
        'points', points) order by min_percent desc), '[]') from academic_grading_band where scale_id = scale.id)`.as(
        'bands',
      ),
    )
    .orderBy(sql`lower(name)`);

const addBands = (db: Database, scaleId: number, bands: Band[]) =>
  db
    .insertInto('academic_grading_band')
    .values(
      bands.map(({ min, max, grade, points }) => ({
        scale_id: scaleId,
        min_percent: min,
        max_percent: max,
        grade,
        points,
      })),
    )
    .execute();

/** What a scale is, for the audit. */
const detailsOf = ({
  name,
  isActive,
  bands,
}: Pick<GradingScale, 'name' | 'isActive' | 'bands'>): Record<string, string> => ({
  Name: name,
  Bands: scaleWords(bands),
  [english(isActiveLabel)]: isActive ? 'Yes' : 'No',
});

type Draft = Parameters<Handler<typeof gradingScaleApi.create>>[1] & { isActive?: boolean };

const { list, history, create, update, remove } = serveParts<GradingScale, Draft>({
  word: 'grading-scale',
  rules,
  read: (ctx, id) =>
    scales(ctx)
      .where((row) => (id === undefined ? row.lit(true) : row('scale.id', '=', id)))
      .execute(),
  write: async ({ db }, { name, isActive, bands }, before) => {
    const scale = { name, is_active: isActive };
    const { id } = before
      ? await db
          .updateTable('academic_grading_scale')
          .set(scale)
          .where('id', '=', before.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await db.insertInto('academic_grading_scale').values(scale).returning('id').executeTakeFirstOrThrow();
    if (before) await db.deleteFrom('academic_grading_band').where('scale_id', '=', id).execute();
    await addBands(db, id, bandsOf(bands));
    return { id };
  },
  details: detailsOf,
});

export default routes(gradingScaleApi, { list, history, create, update, remove });
