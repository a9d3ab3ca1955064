import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import type { PlannedChange, Role } from '../contract/route.ts';

type Db = Pick<UserContext, 'db'>;

/** The vehicle or the crew's id of each role of a trip. */
type Roles = Readonly<Record<Role, number>>;

/** Locks trips in order, as the count of their seats does. */
export const lockTrips = ({ db }: Db, tripIds: readonly number[]) =>
  sql`select 1 from transport_trip where id = any(${tripIds}::integer[]) order by id for no key update`.execute(db);

/** Writes the duties that follow from the standing rows and the stand-ins. */
export const layTrips = ({ db }: Db, tripIds: readonly number[]) =>
  sql`select transport_lay(${tripIds}::integer[])`.execute(db);

interface Standing {
  id: number;
  role: Role;
  own: number;
  name: string;
  from: string;
  /** Null until further notice. */
  to: string | null;
}

const nameOf = sql<string>`coalesce(
  (select fleet_no from transport_vehicle where id = own.vehicle_id),
  (select staff.name from transport_crew crew join staff on staff.id = crew.staff_id where crew.id = own.crew_id))`;

/** The standing rows of a trip on a day and later. */
async function readStanding({ db }: Db, tripId: number, day: string) {
  const { rows } = await sql<Standing>`
    select own.id, own.role, coalesce(own.vehicle_id, own.crew_id) as own, ${nameOf} as name, own.effective_from as "from",
      own.effective_to as "to"
    from transport_standing own
    where own.trip_id = ${tripId} and coalesce(own.effective_to, 'infinity') >= ${day}::date
    order by own.role, own.effective_from`.execute(db);
  return rows;
}

const columnOf = (role: Role) => (role === 'Vehicle' ? sql`vehicle_id` : sql`crew_id`);

const insertStanding = ({ db }: Db, tripId: number, role: Role, own: number, from: string, to: string | null) =>
  sql`insert into transport_standing (trip_id, role, ${columnOf(role)}, effective_from, effective_to)
    values (${tripId}, ${role}, ${own}, ${from}, ${to})`.execute(db);

/**
 * Gives a trip its vehicle and crew from a day on, in each role that differs: the standing row of that day ends the day before, and
 * the new one lasts until the next one that is planned. Answers what is planned, which is deleted only where it is asked.
 */
export async function writeStanding(
  ctx: UserContext,
  { tripId, day, roles, dropsPlanned }: { tripId: number; day: string; roles: Roles; dropsPlanned: boolean },
): Promise<PlannedChange[]> {
  await lockTrips(ctx, [tripId]);
  const { db } = ctx;
  const rows = await readStanding(ctx, tripId, day);
  const planned: PlannedChange[] = [];
  for (const role of ['Vehicle', 'Driver', 'Attendant'] as const) {
    const own = roles[role];
    const covers = rows.find((row) => row.role === role && row.from <= day);
    const later = rows.filter((row) => row.role === role && row.from > day);
    const isSame = covers?.own === own;
    if (isSame && !(dropsPlanned && later.length > 0)) continue;
    planned.push(...later.map(({ name, from }) => ({ role, name, from, isDropped: dropsPlanned })));
    const last = dropsPlanned ? later.at(-1) : undefined;
    const next = later[0];
    const to = last ? last.to : covers ? covers.to : next ? addDays(next.from, -1) : null;
    if (last) {
      const ids = later.map(({ id }) => id);
      await sql`delete from transport_standing where id = any(${ids}::integer[])`.execute(db);
    }
    if (covers && (isSame || covers.from === day)) {
      await sql`update transport_standing set ${columnOf(role)} = ${own}, effective_to = ${to}, version = version + 1
        where id = ${covers.id}`.execute(db);
      continue;
    }
    if (covers) await endStanding(ctx, [covers.id], addDays(day, -1));
    await insertStanding(ctx, tripId, role, own, day, to);
  }
  await layTrips(ctx, [tripId]);
  return planned;
}

const endStanding = ({ db }: Db, ids: readonly number[], lastDay: string) =>
  sql`update transport_standing set effective_to = ${lastDay}, version = version + 1
    where id = any(${ids}::integer[])`.execute(db);

/** Ends a trip on a day: what is planned later goes, and so do the stand-ins. */
export async function endTrip(ctx: UserContext, tripId: number, lastDay: string) {
  await lockTrips(ctx, [tripId]);
  const { db } = ctx;
  for (const table of ['transport_standing', 'transport_stand_in'] as const) {
    await db.deleteFrom(table).where('trip_id', '=', tripId).where('effective_from', '>', lastDay).execute();
    await db
      .updateTable(table)
      .set({ effective_to: lastDay })
      .where('trip_id', '=', tripId)
      .where(sql<boolean>`coalesce(effective_to, 'infinity') > ${lastDay}::date`)
      .execute();
  }
  await layTrips(ctx, [tripId]);
}

/** The trips on which a vehicle is replaced by another one. */
interface Replaced {
  tripIds: readonly number[];
  vehicles: readonly { from: number; to: number }[];
}

/**
 * Gives trips other vehicles from a day on, those that are planned later too, in one statement, so that two vehicles may swap.
 * Crew and last days do not change.
 */
export async function replaceVehicles(ctx: UserContext, { tripIds, vehicles }: Replaced, day: string) {
  await lockTrips(ctx, tripIds);
  await sql`
    with swap as (
      select * from jsonb_to_recordset(${JSON.stringify(vehicles)}::jsonb) as own ("from" integer, "to" integer)
    ), before as (
      select own.*, swap."to" from transport_standing own join swap on swap."from" = own.vehicle_id
      where own.trip_id = any(${tripIds}::integer[]) and coalesce(own.effective_to, 'infinity') >= ${day}::date
    ), given as (
      update transport_standing own set vehicle_id = before."to", version = own.version + 1
      from before where own.id = before.id and own.effective_from >= ${day}::date returning own.id
    ), ended as (
      update transport_standing own set effective_to = ${day}::date - 1, version = own.version + 1
      from before where own.id = before.id and own.effective_from < ${day}::date returning own.id
    )
    insert into transport_standing (trip_id, role, vehicle_id, effective_from, effective_to)
      select trip_id, role, "to", ${day}::date, effective_to from before where effective_from < ${day}::date`.execute(
    ctx.db,
  );
  await layTrips(ctx, tripIds);
}
