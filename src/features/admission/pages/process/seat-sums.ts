import { quotas } from '../../contract/record.ts';
import type { SeatPlanOfYear, SeatRow } from '../../contract/seat.ts';

const placeOf = ({ branchId, programId, gradeId }: SeatRow) => [branchId, programId, gradeId].join(' ');
const keyOf = ({ branchId, programId }: SeatRow) => [branchId, programId].join(' ');
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** What some rows of the seat plan add up to. */
const sumsOf = (rows: readonly SeatRow[], offers: SeatPlanOfYear['offers']) => ({
  free: sum(rows.map(({ free }) => Math.max(free, 0))),
  total: sum(rows.map(({ total }) => total)),
  waiting: sum(rows.map(({ waiting }) => waiting)),
  toOffer: offers.filter(({ seatId }) => rows.some(({ id }) => id === seatId)).length,
});

/** The seat plan by grade, with the quotas that it has and its sums. */
export function gradesOf({ rows, offers }: SeatPlanOfYear) {
  const isSeveral = new Set(rows.map(keyOf)).size > 1;
  const grades = [...Map.groupBy(rows, placeOf)].map(([key, of]) => ({
    key,
    name: of[0]?.grade ?? '',
    of: isSeveral ? [of[0]?.branch, of[0]?.program].join(', ') : '',
    rows: of,
    sums: sumsOf(of, offers),
  }));
  const shown = quotas.filter((quota) => rows.some((row) => row.quota === quota));
  const columns = shown.map((quota) => ({
    quota,
    sums: sumsOf(
      rows.filter((row) => row.quota === quota),
      offers,
    ),
  }));
  return { grades, columns, all: sumsOf(rows, offers) };
}
