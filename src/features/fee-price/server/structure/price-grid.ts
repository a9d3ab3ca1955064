import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound } from '#kit/server/record/version.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { gridMessages, type PriceGridOfYear, type PriceRow, priceGridApi } from '../../contract/price-grid.ts';
import { structureMessages } from '../../contract/structure.ts';
import { detailsOf, type Found, readSome } from './structure.ts';

/** The newest prices of each place: a draft in place of what it replaces. */
const read: Handler<typeof priceGridApi.read> = async (ctx, { academicYearId }) => {
  const year = await readYear(ctx, academicYearId);
  const { rows } = await sql<PriceRow>`
    select coalesce(case when structure.status in ('Draft', 'Waiting for approval') then structure.replaces_id end, structure.id)::text as key,
      structure.id, structure.version, structure.name, structure.status, structure.version_no as "versionNo",
      coalesce(of_grades.names, '') as grades,
      concat_ws(', ', branch.name, program.name, category.name, nullif(structure.admission_type, 'All students')) as of,
      coalesce(own.lines, '[]') as lines, coalesce(earlier.lines, '[]') as before
    from fee_structure structure
    join academic_branch branch on branch.id = structure.branch_id
    join academic_program program on program.id = structure.program_id
    left join academic_lookup category on category.id = structure.category_id
    left join lateral (select string_agg(grade.name, ', ' order by grade.position) as names, min(grade.position) as first
      from fee_structure_grade of_grade join academic_grade grade on grade.id = of_grade.grade_id
      where of_grade.structure_id = structure.id) as of_grades on true
    left join lateral (select jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'annual', annual,
        'months', coalesce(bit_count(months::integer::bit(12)), 12))) as lines
      from fee_structure_line where structure_id = structure.id) as own on true
    left join lateral (select jsonb_agg(jsonb_build_object('feeHeadId', fee_head_id, 'annual', annual)) as lines
      from fee_structure_line where structure_id = coalesce(structure.replaces_id, structure.copied_from_id)) as earlier on true
    where structure.academic_year_id = ${academicYearId} and structure.status <> 'Superseded'
      and not exists (select from fee_structure newer where newer.replaces_id = structure.id
        and newer.status in ('Draft', 'Waiting for approval'))
      and ${inScope(ctx.user, feeReaders, { branch: sql`structure.branch_id`, section: sql`null::integer` })}
    order by branch.name, program.name, of_grades.first, lower(structure.name), structure.id limit 200`.execute(ctx.db);
  const { rows: heads } = await sql<PriceGridOfYear['heads'][number]>`
    select head.id, head.name, frequency.name as frequency, head.is_active as "isActive"
    from fee_head head join fee_frequency frequency on frequency.id = head.frequency_id
    where head.is_active or exists (select from fee_structure_line line
      join fee_structure structure on structure.id = line.structure_id
      where line.fee_head_id = head.id and structure.academic_year_id = ${academicYearId})
    order by head.priority, lower(head.name)`.execute(ctx.db);
  return { heads, rows, may: { save: isGranted(feeWriters, ctx.user) && year.closed_at === null } };
};

type Rows = Parameters<Handler<typeof priceGridApi.save>>[1]['rows'];
interface Cell {
  feeHeadId: number;
  annual: number | null;
  seen: number | null;
}

/** Refuses prices that changed since the user read them, and says who changed what. */
async function refuseStale({ db }: UserContext, found: ReadonlyMap<number, Found>, rows: Rows) {
  const ids = rows.map(({ id }) => id);
  const { rows: newer } = await sql<{ name: string; by: string }>`
    select newer.name, editor.name as by from fee_structure newer join staff editor on editor.id = newer.edited_by
    where newer.replaces_id = any(${ids}::integer[]) and newer.status in ('Draft', 'Waiting for approval') order by newer.id limit 1`.execute(
    db,
  );
  if (newer[0]) throw new AppError('stale', gridMessages.begun(newer[0].name, newer[0].by));
  const others = rows.filter(({ id, version }) => found.get(id)?.version !== version);
  if (others.length === 0) return;
  const { rows: acts } = await sql<{ id: number; by: string }>`
    select distinct on (entity_id) entity_id::integer as id, actor as by from audit
    where entity = 'fee_structure' and entity_id = any(${others.map(({ id }) => id)}::integer[])
    order by entity_id, audit.id desc`.execute(db);
  const changes = others.slice(0, 3).map(({ id, cells }) => {
    const now = found.get(id);
    const by = acts.find((act) => act.id === id)?.by ?? '';
    const amounts = (cells as Cell[]).flatMap(({ feeHeadId, seen }) => {
      const line = now?.lines.find((one) => one.feeHeadId === feeHeadId);
      if ((line?.annual ?? null) === seen) return [];
      const [was, is] = [seen, line?.annual ?? null].map((paise) => (paise === null ? '–' : showMoney(paise)));
      return [`${line?.head ?? ''} ${was} → ${is}`.trim()];
    });
    return [`“${now?.name}”`, by, amounts.join(', ')].filter(Boolean).join(', ');
  });
  throw new AppError('stale', gridMessages.changed(changes.join('; ')));
}

/** Refuses heads that are unknown, or inactive and not in these prices yet. */
async function refuseHeads({ db }: UserContext, found: ReadonlyMap<number, Found>, rows: Rows) {
  const heads = rows.flatMap(({ cells }) => cells.map(({ feeHeadId }) => feeHeadId));
  const active = await db
    .selectFrom('fee_head')
    .where('id', 'in', heads)
    .where('is_active', '=', true)
    .select('id')
    .execute();
  for (const [place, { id, cells }] of rows.entries())
    for (const [cell, { feeHeadId, annual }] of cells.entries()) {
      const isOld = found.get(id)?.lines.some((line) => line.feeHeadId === feeHeadId);
      if (annual !== null && !isOld && !active.some((head) => head.id === feeHeadId))
        throw fieldRefusal(`rows.${place}.cells.${cell}.annual`, text`This fee head is inactive.`);
    }
}

/** Makes a draft of each of these published structures; the ids of the drafts by those that they replace. */
async function renewAll({ db, user }: UserContext, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; replaces: number }>`
    insert into fee_structure (name, academic_year_id, branch_id, program_id, category_id, admission_type, version_no,
        replaces_id, edited_by)
      select name, academic_year_id, branch_id, program_id, category_id, admission_type, version_no + 1, id,
        ${user.staffId}::integer
      from fee_structure where id = any(${[...ids]}::integer[]) order by id
      returning id, replaces_id as replaces`.execute(db);
  const made = rows.map(({ id }) => id);
  await sql`insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id, category_key,
      admission_type, status)
    select made.id, grade_id, made.academic_year_id, made.branch_id, made.program_id, made.category_key,
      made.admission_type, made.status
    from fee_structure made join fee_structure_grade own on own.structure_id = made.replaces_id
    where made.id = any(${made}::integer[])`.execute(db);
  await sql`insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id, months)
    select made.id, fee_head_id, annual, frequency_id, months
    from fee_structure made join fee_structure_line line on line.structure_id = made.replaces_id
    where made.id = any(${made}::integer[])`.execute(db);
  return new Map(rows.map(({ id, replaces }) => [replaces, id]));
}

/** Writes amounts into drafts; an empty one takes the head out, a new one has the frequency of its head. */
async function writeCells({ db }: UserContext, cells: readonly (Cell & { id: number })[]) {
  const columns = (of: readonly (Cell & { id: number })[]) => [
    of.map(({ id }) => id),
    of.map(({ feeHeadId }) => feeHeadId),
    of.map(({ annual }) => annual),
  ];
  const [goneFrom, gone] = columns(cells.filter(({ annual }) => annual === null));
  await sql`delete from fee_structure_line line using unnest(${goneFrom}::integer[], ${gone}::integer[]) as gone (id, head)
    where line.structure_id = gone.id and line.fee_head_id = gone.head`.execute(db);
  const [into, heads, annuals] = columns(cells.filter(({ annual }) => annual !== null));
  await sql`insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id)
    select cell.id, head.id, cell.annual, head.frequency_id
    from unnest(${into}::integer[], ${heads}::integer[], ${annuals}::bigint[]) as cell (id, head, annual)
    join fee_head head on head.id = cell.head
    on conflict (structure_id, fee_head_id) do update set annual = excluded.annual`.execute(db);
}

const save: Handler<typeof priceGridApi.save> = (ctx, { academicYearId, rows, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    await lockOpenYear(ctx, academicYearId, 'money');
    const ids = [...new Set(rows.map(({ id }) => id))];
    await ctx.db.selectFrom('fee_structure').where('id', 'in', ids).select('id').orderBy('id').forUpdate().execute();
    const before = new Map((await readSome(ctx, ids)).map((one) => [one.id, one]));
    if (ids.length < rows.length || ids.some((id) => before.get(id)?.academicYearId !== academicYearId))
      throw notFound();
    await refuseStale(ctx, before, rows);
    if ([...before.values()].some(({ status }) => status === 'Waiting for approval'))
      throw new AppError('conflict', structureMessages.asked);
    if ([...before.values()].some(({ status }) => status === 'Superseded'))
      throw new AppError('conflict', structureMessages.published);
    await refuseHeads(ctx, before, rows);
    const drafts = ids.filter((id) => before.get(id)?.status === 'Draft');
    const made = await renewAll(
      ctx,
      ids.filter((id) => !drafts.includes(id)),
    );
    const draftOf = (id: number) => made.get(id) ?? id;
    const cells = rows.flatMap(({ id, cells: own }) => (own as Cell[]).map((cell) => ({ ...cell, id: draftOf(id) })));
    await writeCells(ctx, cells);
    if (drafts.length > 0)
      await ctx.db
        .updateTable('fee_structure')
        .set({ edited_by: ctx.user.staffId, version: sql`version + 1` })
        .where('id', 'in', drafts)
        .execute();
    const after = new Map((await readSome(ctx, ids.map(draftOf))).map((one) => [one.id, one]));
    const pairs = ids.flatMap((id) => {
      const [was, is] = [before.get(id), after.get(draftOf(id))];
      return was && is ? [{ was, is }] : [];
    });
    const full = pairs.find(({ is }) => is.lines.length > 40);
    if (full) throw new AppError('conflict', gridMessages.manyHeads);
    await auditAll(
      ctx,
      pairs.map(({ was, is }) => ({
        action: was.id === is.id ? 'fee-structure.changed' : 'fee-structure.created',
        entity: 'fee_structure',
        entityId: is.id,
        version: is.version,
        details:
          was.id === is.id
            ? { Prices: `${detailsOf(was).Prices} → ${detailsOf(is).Prices}` }
            : { ...detailsOf(is), Version: String(is.versionNo) },
      })),
    );
    const answer = { ...sumsOf(pairs), structures: pairs.length, versions: made.size };
    return { answer, basis: [rows, answer], isRefused: answer.amounts === 0 };
  });

/** What a year costs before and after, by head. */
function sumsOf(pairs: readonly { was: Found; is: Found }[]) {
  const heads = new Map<number, { head: string; before: number; after: number; structures: number }>();
  let amounts = 0;
  for (const { was, is } of pairs) {
    const both = new Map([...was.lines, ...is.lines].map(({ feeHeadId, head }) => [feeHeadId, head]));
    for (const [id, head] of both) {
      const [before = 0, after = 0] = [was, is].map(({ lines }) => lines.find((one) => one.feeHeadId === id)?.annual);
      if (before === after) continue;
      amounts += 1;
      const sums = heads.get(id) ?? { head, before: 0, after: 0, structures: 0 };
      heads.set(id, {
        head,
        before: sums.before + before,
        after: sums.after + after,
        structures: sums.structures + 1,
      });
    }
  }
  return { heads: [...heads.values()], amounts };
}

export default routes(priceGridApi, { read, save });
