import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { GivenConcession } from '../../contract/plan/plan-price.ts';
import { monthIndex } from '../../contract/plan/price.ts';
import type { YearPrices } from '../plan/read-prices.ts';
import { concessionCap } from '../settings.ts';

/** The approved concessions of a year by student, and the most that they may take off. */
export interface Conceded {
  ofStudent: ReadonlyMap<number, readonly GivenConcession[]>;
  /** Hundredths of a percent. */
  cap: number;
}

/** What a concession takes off, and of which heads. */
export interface Terms {
  id: number;
  discountId: number;
  percent: number | null;
  amount: number | null;
  from: string;
  to: string;
  priority: number;
  group: string;
  maxAmount: number | null;
  eligibility: string;
  headIds: number[] | null;
}

interface Row extends Terms {
  studentId: number;
}

/** The approved concessions of students in a year, and `also` those with these ids. */
export async function readConceded(
  ctx: Pick<Context, 'db'>,
  { year }: Pick<YearPrices, 'year'>,
  studentIds: readonly number[],
  also: readonly number[] = [],
): Promise<Conceded> {
  const { rows } = await sql<Row>`
    select concession.id, student_id as "studentId", discount_id as "discountId", concession.percent,
      concession.amount, effective_from as "from", effective_to as "to", priority, stack_group as "group",
      max_amount as "maxAmount", eligibility, case when not all_heads then (select jsonb_agg(fee_head_id)
        from fee_discount_head own where own.discount_id = discount.id) end as "headIds"
    from fee_concession concession join fee_discount discount on discount.id = concession.discount_id
    where concession.academic_year_id = ${year.id}
      and (concession.status = 'Approved' or concession.id = any(${also}::integer[]))
      and student_id = any(${studentIds}::integer[])
    order by concession.id`.execute(ctx.db);
  const ofStudent = Map.groupBy(
    rows.map(({ studentId, ...row }) => ({ studentId, given: givenOf(year, row) })),
    ({ studentId }) => studentId,
  );
  return {
    ofStudent: new Map([...ofStudent].map(([id, own]) => [id, own.map(({ given }) => given)])),
    cap: (await readSetting(ctx, concessionCap)) * 100,
  };
}

export function givenOf(year: YearPrices['year'], row: Terms): GivenConcession {
  const { percent, amount, eligibility, from, to, ...rest } = row;
  const value =
    percent !== null
      ? { kind: 'Percent' as const, percent }
      : amount !== null
        ? { kind: 'Fixed' as const, amount }
        : { kind: 'Full waiver' as const };
  return {
    ...rest,
    value,
    fromMonth: Math.max(0, monthIndex(year, from)),
    toMonth: Math.min(11, monthIndex(year, to)),
    isUncapped: eligibility === 'RTE' && value.kind === 'Full waiver',
  };
}
