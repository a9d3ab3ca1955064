import { sql } from 'kysely';
import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
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

const list: Handler<typeof gradingScaleApi.list> = async (ctx) => ({ rows: await scales(ctx).execute() });

const addBands = ({ db }: UserContext, scaleId: number, bands: Band[]) =>
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

const create: Handler<typeof gradingScaleApi.create> = async (ctx, values) => {
  const bands = bandsOf(values.bands);
  const made = await withConstraintMessages(ctx, rules, async () => {
    const scale = await ctx.db
      .insertInto('academic_grading_scale')
      .values({ name: values.name })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await addBands(ctx, scale.id, bands);
    return scale;
  });
  const details = detailsOf({ name: values.name, isActive: true, bands });
  await audit(ctx, { action: 'grading-scale.created', entity: rules.table, entityId: made.id, version: 1, details });
  return made;
};

/** Locks a scale; throws `stale` when the given version is not the current one. */
async function lockScale(ctx: UserContext, { id, version }: { id: number; version: number }): Promise<GradingScale> {
  await ctx.db.selectFrom('academic_grading_scale').where('id', '=', id).select('id').forUpdate().execute();
  const scale = await scales(ctx).where('id', '=', id).executeTakeFirst();
  if (!scale) throw new AppError('not_found', notFoundMessage);
  if (scale.version !== version) throw new AppError('stale', staleMessage, { data: { saved: scale } });
  return scale;
}

const update: Handler<typeof gradingScaleApi.update> = async (ctx, { id, version, ...draft }) => {
  const before = await lockScale(ctx, { id, version });
  const bands = bandsOf(draft.bands);
  const [was, is] = [detailsOf(before), detailsOf({ ...draft, bands })];
  const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
  if (changed.length === 0) return { id, version };
  const saved = await withConstraintMessages(ctx, rules, async () => {
    const scale = await ctx.db
      .updateTable('academic_grading_scale')
      .set({ name: draft.name, is_active: draft.isActive, version: sql`version + 1` })
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await ctx.db.deleteFrom('academic_grading_band').where('scale_id', '=', id).execute();
    await addBands(ctx, id, bands);
    return scale;
  });
  const details = Object.fromEntries(changed.map((name) => [name, `${was[name]} → ${is[name]}`]));
  const act = { action: 'grading-scale.changed', entity: rules.table, entityId: id, version: saved.version };
  await audit(ctx, { ...act, details });
  return saved;
};

const remove: Handler<typeof gradingScaleApi.remove> = async (ctx, idAndVersion) => {
  const scale = await lockScale(ctx, idAndVersion);
  await withConstraintMessages(ctx, rules, () =>
    ctx.db.deleteFrom('academic_grading_scale').where('id', '=', scale.id).execute(),
  );
  const act = { action: 'grading-scale.removed', entity: rules.table, entityId: scale.id, version: scale.version };
  await audit(ctx, { ...act, details: detailsOf(scale) });
  return {};
};

const history: Handler<typeof gradingScaleApi.history> = async (ctx, asked) => {
  const scale = await scales(ctx).where('id', '=', asked.id).executeTakeFirst();
  if (!scale) throw new AppError('not_found', notFoundMessage);
  return readHistory(ctx, rules.table, asked);
};

export default routes(gradingScaleApi, { list, history, create, update, remove });
