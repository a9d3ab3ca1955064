import { sql } from 'kysely';
import type { Copied, RollOver } from '#kit/server/context.ts';

/** The slab prices of a year, for the slabs that are still in use. */
export const copiedPrices: RollOver = {
  part: 'Slab prices of transport',
  copy: async ({ db }, { fromId, toId }) => {
    const { rows } = await sql<Copied>`
      with own as (
        select price.*, exists (select from transport_slab_price later
          where later.academic_year_id = ${toId} and later.slab_id = price.slab_id) as is_there
        from transport_slab_price price join transport_fee_slab slab on slab.id = price.slab_id and slab.is_active
        where price.academic_year_id = ${fromId} and price.is_active),
      made as (
        insert into transport_slab_price (academic_year_id, slab_id, month_amount, one_way_share, months)
          select ${toId}, slab_id, month_amount, one_way_share, months from own where not is_there returning id)
      select (select count(*) from made) as added, count(*) filter (where is_there) as "alreadyThere" from own`.execute(
      db,
    );
    return rows[0] ?? { added: 0, alreadyThere: 0 };
  },
  discard: (yearId) => [sql`delete from transport_slab_price where academic_year_id = ${yearId}`],
};
