import { sql } from 'kysely';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import { formatNumber, periodOf, type Reset, type YearNames } from '#kit/contract/numbering.ts';
import { english, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound, requireRowVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { yearNames } from '../api.ts';
import { numberSeriesApi, numberSeriesDraft, resetWords } from '../contract/number-series.ts';

const noGap = text`Numbers were issued already. A higher number would leave a gap.`;

const allSeries = ({ db }: Pick<UserContext, 'db'>) =>
  db
    .selectFrom('number_series as series')
    .leftJoin('academic_branch as branch', 'branch.id', 'series.branch_id')
    .select([
      'series.id',
      'series.code',
      'prefix',
      'pattern',
      'reset_on',
      'is_gapless',
      'label',
      'series.version',
      'series.updated_at',
      'branch.name as branch',
    ])
    .select(
      sql<Record<string, number>>`(select coalesce(jsonb_object_agg(period, next_value), '{}')
        from number_series_value where series_id = series.id)`.as('values'),
    )
    .select(
      sql<string[]>`(select coalesce(jsonb_agg(period), '[]')
        from number_series_value where series_id = series.id and is_drawn)`.as('drawn'),
    )
    .orderBy('series.code')
    .orderBy(sql`branch.name nulls first`);
type Series = Awaited<ReturnType<ReturnType<typeof allSeries>['executeTakeFirstOrThrow']>>;

const nextValueOf = ({ values }: Series, resetOn: Reset, years: YearNames) => values[periodOf(resetOn, years)] ?? 1;
/** Whether numbers of the period were issued, in a series without gaps: its next value can't be raised. */
const isFixed = (
  { series: all }: Pick<UserContext, 'series'>,
  { code, is_gapless, drawn }: Series,
  resetOn: Reset,
  years: YearNames,
) => is_gapless && !all.some((one) => one.code === code && one.mayBeRaised) && drawn.includes(periodOf(resetOn, years));
/** A series with a label numbers the receipts of a receipt series. */
const receiptsOf = ({ label, code }: Pick<Series, 'label' | 'code'>) =>
  label === null ? verbatim(code) : text`Receipts: ${{ name: label }}`;
const carriedValueOf = ({ values }: Series) => Math.max(1, ...Object.values(values));

const list: Handler<typeof numberSeriesApi.list> = async (ctx) => {
  const years = await yearNames(ctx);
  const all = await allSeries(ctx).execute();
  const rows = all.map((series) => {
    const resetOn = series.reset_on as Reset;
    return {
      id: series.id,
      code: series.code,
      words: ctx.series.find(({ code }) => code === series.code)?.words ?? receiptsOf(series),
      branch: series.branch ?? '',
      prefix: series.prefix,
      pattern: series.pattern,
      resetOn,
      isGapless: series.is_gapless,
      nextValue: nextValueOf(series, resetOn, years),
      isFixed: isFixed(ctx, series, resetOn, years),
      carriedValue: carriedValueOf(series),
      rowVersion: series.version,
    };
  });
  const ofSchool = all.filter(({ label, branch }) => label !== null && branch === null);
  const ofBranches = [
    ...ctx.series.filter(({ hasBranches }) => hasBranches).map(({ code, words }) => ({ code, words })),
    ...ofSchool.map((series) => ({ code: series.code, words: receiptsOf(series) })),
  ];
  return { rows, years, ofBranches };
};

const save: Handler<typeof numberSeriesApi.save> = async (ctx, { id, rowVersion, seenValue, ...draft }) => {
  const { db } = ctx;
  // Locked first, so that a number that is being drawn is counted.
  await db.selectFrom('number_series').where('id', '=', id).select('id').forUpdate().execute();
  const series = await allSeries(ctx).where('series.id', '=', id).executeTakeFirstOrThrow(notFound);
  requireRowVersion(series, rowVersion);

  const years = await yearNames(ctx);
  const resetBefore = series.reset_on as Reset;
  const valueBefore = nextValueOf(series, resetBefore, years);
  // A value left as shown is no change, even if numbers were drawn since.
  const wanted = draft.nextValue === seenValue ? valueBefore : (draft.nextValue ?? valueBefore);
  if (wanted < valueBefore) throw fieldRefusal('nextValue', text`Enter ${{ least: valueBefore }} or a higher number.`);

  const least = draft.resetOn === resetBefore ? valueBefore : carriedValueOf(series);
  if (wanted > least && isFixed(ctx, series, draft.resetOn, years)) throw fieldRefusal('nextValue', noGap);

  await refuseSame(ctx, series.code, draft, id);
  if (draft.resetOn !== resetBefore) await carryOn(ctx, series, years);
  const nextValue = Math.max(wanted, least);
  const before = { ...series, resetOn: english(resetWords[resetBefore]), nextValue: valueBefore };
  const after = { ...draft, resetOn: english(resetWords[draft.resetOn]), nextValue };
  const names = (['prefix', 'pattern', 'resetOn', 'nextValue'] as const).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return { rowVersion };

  if (nextValue !== valueBefore) await raise(ctx, id, [periodOf(draft.resetOn, years)], nextValue);
  const { version } = await db
    .updateTable('number_series')
    .set({ prefix: draft.prefix, pattern: draft.pattern, reset_on: draft.resetOn })
    .set({ version: sql`version + 1`, updated_at: sql`school_now()` })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  const details = Object.fromEntries(
    names.map((name) => {
      const info = fieldInfo.get(numberSeriesDraft[name]);
      return [info ? english(info.label) : name, `${before[name]} → ${after[name]}`];
    }),
  );
  await audit(ctx, { action: 'number-series.changed', entity: 'number_series', entityId: id, version, details });
  return { rowVersion: version };
};

/**
 * Two branches' series of one kind must not give the same numbers, unless each branch has a register of its own; nor two
 * series of receipts.
 */
async function refuseSame(
  { db, series }: UserContext,
  code: string,
  draft: { prefix: string; pattern: string },
  except = 0,
) {
  if (series.some((one) => one.code === code && one.isUniqueInBranch)) return;
  const others = await db
    .selectFrom('number_series')
    .where((series) =>
      series.or([
        series('code', '=', code),
        series.and([
          series('label', 'is not', null),
          series.exists(
            series
              .selectFrom('number_series as own')
              .where('own.code', '=', code)
              .where('own.label', 'is not', null)
              .select('own.id'),
          ),
        ]),
      ]),
    )
    .where('id', '<>', except)
    .select(['prefix', 'pattern'])
    .execute();
  const years = { academicYear: 'A', financialYear: 'F' };
  const first = formatNumber(draft, years, 1);
  if (others.some((other) => formatNumber(other, years, 1) === first))
    throw fieldRefusal('prefix', text`Another series’ numbers would be the same. Use another prefix.`);
}

const create: Handler<typeof numberSeriesApi.create> = async (ctx, { code, branchId, nextValue, ...draft }) => {
  const { db } = ctx;
  const isListed = ctx.series.some((series) => series.code === code && series.hasBranches);
  const branch = await db
    .selectFrom('academic_branch')
    .where('id', '=', branchId)
    .where('is_active', '=', true)
    .select('name')
    .executeTakeFirst();
  if (!branch) throw fieldRefusal('branchId', text`Choose one from the list.`);
  // The school's series is locked, so that two new ones do not get the same form.
  const school = await db
    .selectFrom('number_series')
    .where('code', '=', code)
    .where('branch_id', 'is', null)
    .select(['is_gapless', 'label'])
    .forUpdate()
    .executeTakeFirst();
  if (!school || !(isListed || school.label !== null)) throw fieldRefusal('code', text`Choose one from the list.`);
  await refuseSame(ctx, code, draft);
  const { id } = await db
    .insertInto('number_series')
    .values({
      code,
      branch_id: branchId,
      prefix: draft.prefix,
      pattern: draft.pattern,
      reset_on: draft.resetOn,
      is_gapless: school.is_gapless,
      label: school.label,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      throw fieldRefusal('branchId', text`This branch has its own series already. Change that one.`);
    });
  await raise(ctx, id, [periodOf(draft.resetOn, await yearNames(ctx))], nextValue ?? 1);
  const details = {
    Branch: branch.name,
    Prefix: draft.prefix,
    Pattern: draft.pattern,
    'Next value': String(nextValue),
  };
  await audit(ctx, { action: 'number-series.added', entity: 'number_series', entityId: id, version: 1, details });
  return { id };
};

/**
 * When the reset changes, every existing year continues above all issued numbers, and only later years start at 1. So
 * no number repeats, whatever year its pattern names.
 */
async function carryOn(ctx: UserContext, series: Series, { financialYear }: YearNames) {
  const years = await ctx.db.selectFrom('academic_year').select('name').execute();
  const periods = new Set(['', financialYear, ...Object.keys(series.values), ...years.map(({ name }) => name)]);
  await raise(ctx, series.id, [...periods], carriedValueOf(series));
}

const raise = ({ db }: UserContext, id: number, periods: string[], nextValue: number) =>
  db
    .insertInto('number_series_value')
    .values(periods.map((period) => ({ series_id: id, period, next_value: nextValue })))
    .onConflict((conflict) =>
      conflict
        .columns(['series_id', 'period'])
        .doUpdateSet({ next_value: sql`greatest(number_series_value.next_value, excluded.next_value)` }),
    )
    .execute();

const history: Handler<typeof numberSeriesApi.history> = async (ctx, asked) => {
  await allSeries(ctx).where('series.id', '=', asked.id).executeTakeFirstOrThrow(notFound);
  return readHistory(ctx, 'number_series', asked);
};

export default routes(numberSeriesApi, { list, history, create, save });
