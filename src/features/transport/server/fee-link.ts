import { sql } from 'kysely';
import { type ChargeHow, setMonthCharges } from '#features/fee-price/api.ts';
import { planMade } from '#features/fee-price/contract/hooks.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { readSetting } from '#kit/server/settings.ts';
import { monthCharge, type Ride, type SlabPrice } from '../contract/price.ts';
import { cutOffDay } from './settings.ts';

/** What the fees of the year change by for a student, and from which due day on. */
export interface FeeChange {
  studentId: number;
  difference: number;
  firstDue: string | null;
}

interface Row {
  studentId: number;
  from: string | null;
  to: string | null;
  billedFrom: string | null;
  fee: string | null;
  hasPickup: boolean;
  hasDrop: boolean;
  pickup: SlabPrice | null;
  drop: SlabPrice | null;
}

const rideOf = ({ from, to, billedFrom, fee, hasPickup, hasDrop, pickup, drop }: Row): Ride[] =>
  from === null || billedFrom === null
    ? []
    : [
        {
          from,
          to: to ?? '',
          billedFrom,
          isFree: fee !== 'By stop',
          pickup: hasPickup ? pickup : undefined,
          drop: hasDrop ? drop : undefined,
        },
      ];

/** Year and month (YYYY-MM) of each month of a year that begins on this day. */
const monthsFrom = (startsOn: string) =>
  Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(Number(startsOn.slice(0, 4)), Number(startsOn.slice(5, 7)) - 1 + month, 1))
      .toISOString()
      .slice(0, 7),
  );

async function chargeYear(
  ctx: ActingContext,
  year: { id: number; starts_on: string; ends_on: string },
  ids: readonly number[],
  how: ChargeHow = {},
) {
  const cutOff = await readSetting(ctx, cutOffDay);
  const { rows } = await sql<Row>`
    select student.id as "studentId", own.effective_from as "from", own.effective_to as "to",
      own.billed_from as "billedFrom", own.fee, own.pickup_stop_id is not null as "hasPickup",
      own.drop_stop_id is not null as "hasDrop", transport_price(own.pickup_stop_id, ${year.starts_on}::date) as pickup,
      transport_price(own.drop_stop_id, ${year.starts_on}::date) as "drop"
    from unnest(${ids}::integer[]) as student (id)
    left join transport_assignment own on own.student_id = student.id and own.effective_from <= ${year.ends_on}::date
      and coalesce(own.effective_to, 'infinity') >= ${year.starts_on}::date
    order by student.id, own.effective_from`.execute(ctx.db);
  const months = monthsFrom(year.starts_on);
  const children = [...Map.groupBy(rows, ({ studentId }) => studentId)].map(([studentId, own]) => {
    const rides = own.flatMap(rideOf);
    return { studentId, months: months.map((name, month) => ({ month, amount: monthCharge(rides, name, cutOff) })) };
  });
  return setMonthCharges(ctx, year.id, children, how);
}

/** How rides are charged: only in these years, or in each open one. */
interface RideHow extends ChargeHow {
  yearIds?: readonly number[];
}

/**
 * Charges the rides of students as they are now in each open year, or in those that are named; the difference to what was charged is posted. Called in
 * the transaction that changes rides. Students without a fee plan are not in the answer.
 */
export async function chargeRides(
  ctx: ActingContext,
  studentIds: readonly (number | null)[],
  { yearIds, ...how }: RideHow = {},
): Promise<FeeChange[]> {
  const ids = [...new Set(studentIds.filter((id) => id !== null))].toSorted((one, other) => one - other);
  if (ids.length === 0) return [];
  const years = await ctx.db
    .selectFrom('academic_year')
    .where('status', '!=', 'Closed')
    .$if(yearIds !== undefined, (query) => query.where('id', '=', sql<number>`any(${[...(yearIds ?? [])]}::integer[])`))
    .select(['id', 'starts_on', 'ends_on'])
    .orderBy('id')
    .execute();
  const changes = new Map<number, FeeChange>();
  for (const year of years)
    for (const [studentId, { difference, firstDue }] of await chargeYear(ctx, year, ids, how)) {
      const before = changes.get(studentId);
      const days = [before?.firstDue ?? null, firstDue].filter((day) => day !== null).toSorted();
      changes.set(studentId, {
        studentId,
        difference: (before?.difference ?? 0) + difference,
        firstDue: days[0] ?? null,
      });
    }
  return [...changes.values()];
}

/** A plan that is made after the seat on the bus charges the bus. */
export const chargeNewPlans = answer(planMade, { by: 'transport', step: 9 }, async (ctx, { studentIds, yearId }) => {
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', yearId)
    .select(['id', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  if (year) await chargeYear(ctx, year, studentIds);
  return undefined;
});

/** The first month with the new amount: that of the day until the cut-off day, else the next. */
export function firstMonth(day: string, cutOff: number): string {
  if (Number(day.slice(8)) <= cutOff) return day.slice(0, 7);
  return addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7);
}
