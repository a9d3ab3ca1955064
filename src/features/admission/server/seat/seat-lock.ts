import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { quotas } from '../../contract/record.ts';
import type { Quota } from '../../contract/seat.ts';

export interface SeatPlace {
  academic_year_id: number;
  branch_id: number;
  program_id: number;
  grade_id: number;
}

const keyOf = ({ academic_year_id, branch_id, program_id, grade_id }: SeatPlace) =>
  [academic_year_id, branch_id, program_id, grade_id].join(' ');

/** The rows of the seat plan at these places, locked in the order of their ids. Lock the inquiries before. */
export async function lockSeatsAt({ db }: Pick<Context, 'db'>, places: readonly SeatPlace[]) {
  const wanted = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  const rows = await db
    .selectFrom('admission_seat')
    .where(
      sql<boolean>`(academic_year_id, branch_id, program_id, grade_id) in (
        select academic_year_id, branch_id, program_id, grade_id from jsonb_to_recordset(${JSON.stringify(
          wanted.map(({ academic_year_id, branch_id, program_id, grade_id }) => ({
            academic_year_id,
            branch_id,
            program_id,
            grade_id,
          })),
        )}::jsonb) as place (academic_year_id integer, branch_id integer, program_id integer, grade_id integer))`,
    )
    .selectAll()
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map((row) => ({ ...row, key: keyOf(row) }));
}
export type LockedSeat = Awaited<ReturnType<typeof lockSeatsAt>>[number];

/** Rows of the seat plan, locked in the order of their ids. */
export const lockSeats = ({ db }: Pick<Context, 'db'>, ids: readonly (number | null)[]) =>
  db
    .selectFrom('admission_seat')
    .where('id', '=', sql<number>`any(${ids.filter((id) => id !== null)}::integer[])`)
    .selectAll()
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export const isFree = ({ total, reserved, taken }: Pick<LockedSeat, 'total' | 'reserved' | 'taken'>) =>
  taken < total - reserved;

/** Whether a child of this quota can have a seat of that one: its own or General, and RTE seats only for RTE. */
export const takesSeat = (quota: string, seatQuota: string) =>
  (seatQuota === 'General' || seatQuota === quota) && (seatQuota === 'RTE') === (quota === 'RTE');

/** The quotas whose children can have a seat of this one. */
export const takenQuotas = (seatQuota: string) => quotas.filter((quota) => takesSeat(quota, seatQuota));

/** The row whose seat an application gets: its own quota while that has a free seat, else General. */
export function proposedSeat<Row extends Pick<LockedSeat, 'quota' | 'total' | 'reserved' | 'taken'>>(
  rows: readonly Row[],
  quota: string,
  wanted: Quota | '' = '',
): Row | undefined {
  const allowed = rows.filter((row) => takesSeat(quota, row.quota) && (wanted === '' || row.quota === wanted));
  const own = allowed.find((row) => row.quota === quota);
  const general = allowed.find((row) => row.quota === 'General');
  if (own && isFree(own)) return own;
  return general && isFree(general) ? general : (own ?? general);
}

export const seatsAt = <Row extends { key: string }>(rows: readonly Row[], place: SeatPlace) =>
  rows.filter(({ key }) => key === keyOf(place));
