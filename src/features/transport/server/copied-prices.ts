import { sql } from 'kysely';
import { lockOpenYear, readYear } from '#features/calendar/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { mostMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, RollOver } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { fleetApi } from '../contract/fleet.ts';

interface Copying {
  fromId: number;
  toId: number;
  /** Hundredths of a percent by which prices rise. */
  rise: number;
  /** Paise to which the new prices are rounded, half a unit up. */
  unit: number;
}

interface CopiedPrice {
  slabId: number;
  /** The new row; null where the slab has a price in the other year, which is kept. */
  madeId: number | null;
  name: string;
  before: number;
  after: number;
}

/** Copies the prices of the slabs in use that have none in the other year. A price that rounds to nothing costs one unit. */
async function copyPrices({ db }: Pick<Context, 'db'>, { fromId, toId, rise, unit }: Copying): Promise<CopiedPrice[]> {
  const { rows } = await sql<CopiedPrice>`
    with own as (
      select price.slab_id, slab.name, slab.from_km, price.month_amount, price.one_way_share, price.months,
        greatest(div(price.month_amount * ${10_000 + rise}::numeric + ${5000 * unit}, ${10_000 * unit}) * ${unit},
          ${unit}) as raised
      from transport_slab_price price join transport_fee_slab slab on slab.id = price.slab_id and slab.is_active
      where price.academic_year_id = ${fromId} and price.is_active),
    kept as (select slab_id, month_amount from transport_slab_price where academic_year_id = ${toId}),
    made as (
      insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
        select ${toId}, slab_id, raised, one_way_share, months from own
        where raised <= ${mostMoney} and slab_id not in (select slab_id from kept)
        order by slab_id
        returning id, slab_id)
    select own.slab_id as "slabId", made.id as "madeId", own.name, own.month_amount as before,
      coalesce(kept.month_amount, own.raised)::bigint as after
    from own left join made using (slab_id) left join kept using (slab_id)
    order by own.from_km nulls first, own.name, own.slab_id`.execute(db);
  if (rows.some(({ after }) => after > mostMoney)) throw fieldRefusal('rise', text`A price would be too high.`);
  return rows;
}

const rules: ConstraintMessages = { table: 'transport_slab_price', fields: {}, otherRulesAt: 'rise' };

const isMade = ({ madeId }: CopiedPrice) => madeId !== null;

/** Copies the slab prices of a year to a later one, with a percentage more. */
export const copySlabPrices: Handler<typeof fleetApi.copySlabPrices> = (
  ctx,
  { fromYearId, toYearId, rise, unit, confirmToken },
) =>
  previewOrApply(ctx, confirmToken, async () => {
    const [from, to] = [await readYear(ctx, Number(fromYearId)), await lockOpenYear(ctx, Number(toYearId))];
    if (to.starts_on <= from.ends_on) throw fieldRefusal('toYearId', text`Choose a year that starts later.`);
    const copying = { fromId: from.id, toId: to.id, rise: rise ?? 0, unit: Number(unit) * 100 };
    const all = await withConstraintMessages(ctx, rules, () => copyPrices(ctx, copying));
    const made = all.filter(isMade);
    await auditAll(
      ctx,
      made.map(({ madeId, name, after }) => ({
        action: 'transport-slab-price.copied',
        entity: 'transport_slab_price',
        entityId: Number(madeId),
        version: 1,
        details: { Name: name, 'Academic year': to.name, 'Copied from': from.name, Paise: after },
      })),
    );
    const shown = all.map(({ slabId, madeId, name, before, after }) => ({
      id: slabId,
      name,
      before,
      after,
      isKept: madeId === null,
    }));
    return { answer: { rows: shown }, basis: [from.id, to.id, rise, unit, shown], isRefused: made.length === 0 };
  });

/** The prices of a year in the next, unchanged. */
export const copiedPrices: RollOver = {
  part: 'Slab prices of transport',
  copy: async (ctx, { fromId, toId }) => {
    const all = await copyPrices(ctx, { fromId, toId, rise: 0, unit: 1 });
    const added = all.filter(isMade).length;
    return { added, alreadyThere: all.length - added };
  },
  discard: (yearId) => [sql`delete from transport_slab_price where academic_year_id = ${yearId}`],
};
