import { type RawBuilder, sql } from 'kysely';
import { feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { RollOver, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { structureApi } from '../../contract/structure.ts';

interface Copying {
  fromId: number;
  toId: number;
  /** Hundredths of a percent by which amounts rise. */
  rise: number;
  /** Paise down to which the new amounts are rounded. */
  unit: number;
  /** Which structures are copied. */
  reach: RawBuilder<unknown>;
}

interface CopiedStructure {
  id: number;
  /** The draft; null where the grades have prices in the other year. */
  madeId: number | null;
  name: string;
  before: number;
  after: number;
}

/**
 * Removes drafts that were copied and never edited, where the prices to copy differ from theirs; names them. A draft whose
 * grades have other prices in that year as well remains, since nothing would take its place.
 */
async function removeUntouched(ctx: UserContext, { fromId, toId, rise, unit, reach }: Copying): Promise<string[]> {
  const { rows } = await sql<{ id: number; name: string; version: number }>`
    with untouched as (
      select distinct structure.id as source_id, made.id
      from fee_structure made join fee_structure_grade there on there.structure_id = made.id
      join fee_structure_grade own on own.grade_id = there.grade_id and own.academic_year_id = ${fromId}
        and (there.branch_id, there.program_id, there.category_key, there.admission_type)
          = (own.branch_id, own.program_id, own.category_key, own.admission_type)
      join fee_structure structure on structure.id = own.structure_id and structure.status = 'Published' and ${reach}
      where made.academic_year_id = ${toId} and made.status = 'Draft' and made.version = 1
        and made.copied_from_id is not null),
    different as (
      select own.id from untouched own
      where not exists (
        select from fee_structure_grade mine join fee_structure_grade other on other.structure_id <> mine.structure_id
          and (other.academic_year_id, other.branch_id, other.program_id, other.grade_id, other.category_key,
              other.admission_type)
            = (mine.academic_year_id, mine.branch_id, mine.program_id, mine.grade_id, mine.category_key, mine.admission_type)
        where mine.structure_id = own.id and other.status <> 'Superseded')
      group by own.id having bool_or(
        array(select (fee_head_id, annual, frequency_id, months)::text from fee_structure_line where structure_id = own.id
          order by fee_head_id)
        <> array(select (line.fee_head_id, ${raised({ rise, unit })}, line.frequency_id, line.months)::text
          from fee_structure_line line join fee_head head on head.id = line.fee_head_id and head.is_active
          where line.structure_id = own.source_id order by line.fee_head_id)))
    delete from fee_structure where id in (select id from different) returning id, name, version`.execute(ctx.db);
  await auditAll(
    ctx,
    rows.map(({ id, name, version }) => ({
      action: 'fee-structure.removed',
      entity: 'fee_structure',
      entityId: id,
      version,
      details: { Name: name, Reason: 'Copied again' },
    })),
  );
  return rows.map(({ name }) => name).sort();
}

/** The amount of a line with its rise; a price that rounds to nothing costs one unit. */
const raised = ({
  rise,
  unit,
}: Pick<Copying, 'rise' | 'unit'>) => sql`case when ${rise}::integer = 0 and ${unit}::integer = 100
  then line.annual else greatest(div(line.annual * ${10_000 + rise}::integer, 10000)::bigint / ${unit}::bigint * ${unit}::bigint,
    ${unit}::bigint) end`;

/** Copies published structures as drafts of another year, but for those with a grade that has prices there. */
async function copyStructures(
  ctx: UserContext,
  { fromId, toId, rise, unit, reach }: Copying,
): Promise<CopiedStructure[]> {
  const { db } = ctx;
  const { rows: made } = await sql<{ id: number; copiedFromId: number }>`
    insert into fee_structure (name, academic_year_id, branch_id, program_id, category_id, admission_type, edited_by,
        copied_from_id)
      select name, ${toId}, branch_id, program_id, category_id, admission_type, ${ctx.user.staffId}::integer, id
      from fee_structure structure
      where academic_year_id = ${fromId} and status = 'Published' and ${reach} and not exists (
        select from fee_structure_grade own join fee_structure_grade there on there.grade_id = own.grade_id
          and (there.branch_id, there.program_id, there.category_key, there.admission_type)
            = (own.branch_id, own.program_id, own.category_key, own.admission_type)
        where own.structure_id = structure.id and there.academic_year_id = ${toId} and there.status <> 'Superseded')
      order by id
      returning id, copied_from_id as "copiedFromId"`.execute(db);
  const ids = made.map(({ id }) => id);
  await sql`insert into fee_structure_grade (structure_id, grade_id, academic_year_id, branch_id, program_id, category_key,
      admission_type, status)
    select made.id, grade_id, made.academic_year_id, made.branch_id, made.program_id, made.category_key,
      made.admission_type, made.status
    from fee_structure made join fee_structure_grade own on own.structure_id = made.copied_from_id
    where made.id = any(${ids}::integer[])`.execute(db);
  // Inactive heads are left out.
  await sql`insert into fee_structure_line (structure_id, fee_head_id, annual, frequency_id, months)
    select made.id, fee_head_id, ${raised({ rise, unit })},
      line.frequency_id, months
    from fee_structure made join fee_structure_line line on line.structure_id = made.copied_from_id
    join fee_head head on head.id = line.fee_head_id and head.is_active
    where made.id = any(${ids}::integer[])`.execute(db);
  const { rows } = await sql<CopiedStructure>`
    select structure.id, made.id as "madeId", structure.name, total.before, total.after
    from fee_structure structure left join fee_structure made
      on made.copied_from_id = structure.id and made.id = any(${ids}::integer[])
    cross join lateral (select
      (select coalesce(sum(annual), 0)::bigint from fee_structure_line where structure_id = structure.id) as before,
      (select coalesce(sum(annual), 0)::bigint from fee_structure_line where structure_id = made.id) as after) as total
    where structure.academic_year_id = ${fromId} and structure.status = 'Published' and ${reach}
    order by structure.id`.execute(db);
  await auditAll(
    ctx,
    rows.flatMap(({ id, madeId, name, after }) =>
      madeId === null
        ? []
        : [
            {
              action: 'fee-structure.copied',
              entity: 'fee_structure',
              entityId: madeId,
              version: 1,
              details: { Name: name, 'Copied from': id, Paise: after },
            },
          ],
    ),
  );
  return rows;
}

/** Copies the prices of a year as drafts of another one, with a percentage more. */
export const copy: Handler<typeof structureApi.copy> = (ctx, { fromYearId, toYearId, rise, unit, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const [from, to] = [await readYear(ctx, Number(fromYearId)), await readYear(ctx, Number(toYearId))];
    if (to.starts_on <= from.ends_on) throw fieldRefusal('toYearId', text`Choose a year that starts later.`);
    await lockOpenYear(ctx, to.id, 'money');
    const reach = inScope(ctx.user, feeWriters, { branch: sql`structure.branch_id`, section: sql`null::integer` });
    const copying = { fromId: from.id, toId: to.id, rise: rise ?? 0, unit: Number(unit) * 100, reach };
    const replaced = await removeUntouched(ctx, copying);
    const all = await copyStructures(ctx, copying);
    const made = all.filter(({ madeId }) => madeId !== null);
    return {
      answer: {
        rows: made.map(({ id, name, before, after }) => ({ id, name, before, after })),
        replaced,
        alreadyThere: all.length - made.length,
      },
      basis: [fromYearId, toYearId, rise, unit, replaced, made.map(({ id, before, after }) => [id, before, after])],
      isRefused: made.length === 0,
    };
  });

/** The prices of a year as drafts of the next, unchanged. */
export const copiedStructures: RollOver = {
  part: 'Fee structures',
  copy: async (ctx, { fromId, toId }) => {
    const all = await copyStructures(ctx, { fromId, toId, rise: 0, unit: 100, reach: sql`true` });
    const added = all.filter(({ madeId }) => madeId !== null).length;
    return { added, alreadyThere: all.length - added };
  },
  // Published prices keep their year.
  discard: (yearId) => [sql`delete from fee_structure where academic_year_id = ${yearId} and status = 'Draft'`],
};
