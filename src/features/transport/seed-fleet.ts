import { sql } from 'kysely';
import { fictionalMobile, type SeedPlan } from '#database/seed/plan.ts';
import { addStaff } from '#features/staff/api.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { mandatoryPapers, months } from './contract/masters.ts';
import { layTrips } from './server/standing.ts';

/** Name, from and to km, a month both ways in rupees. */
const slabs = [
  ['Up to 3 km', 0, 3, 900],
  ['3 to 6 km', 3, 6, 1200],
  ['6 to 10 km', 6, 10, 1600],
  ['Beyond 10 km', 10, 25, 2200],
] as const;

/** Each route’s name, the riders of the demo on it, and its stops with their slab, the farthest first. */
export const lines = [
  [
    'Adajan',
    48,
    ['Pal RTO', 'Palanpur Jakatnaka', 'Adajan Circle', 'Star Bazaar', 'Anand Mahal Road', 'Sardar Bridge'],
  ],
  ['Rander', 46, ['Dandi Road', 'Jahangirpura Gam', 'Gorat Road', 'Rander Bus Stand', 'Tadwadi', 'Navyug College']],
  ['Vesu', 46, ['Dumas Road', 'VIP Road', 'Vesu Cross Road', 'Piplod', 'Lake View Garden', 'Parle Point']],
  ['Bhatar', 44, ['Bhimrad', 'Althan Tenament', 'Bhatar Char Rasta', 'City Light', 'Ghod Dod Road', 'Athwa Gate']],
  ['Katargam', 42, ['Amroli', 'Gajera Circle', 'Katargam Darwaja', 'Ved Road', 'Pandol', 'Chowk Bazar', 'Nanpura']],
  ['Varachha', 40, ['Nana Varachha', 'Kapodra', 'Hirabaug', 'Mini Bazar', 'Begampura', 'Sagrampura']],
  ['Udhna', 34, ['Parvat Patiya', 'Punagam', 'Sitanagar', 'Model Town', 'Udhna Gate', 'Ring Road']],
] as const;

const crewNames = [
  'Ramesh Parmar',
  'Suresh Rathod',
  'Mahesh Solanki',
  'Dinesh Vasava',
  'Bhavesh Chauhan',
  'Kanti Patel',
  'Jayesh Rana',
  'Manju Rathod',
  'Lata Solanki',
  'Hansa Vasava',
  'Savita Chauhan',
  'Geeta Parmar',
  'Kokila Patel',
  'Ranjan Rana',
] as const;

/** Without a trip of their own: they stand in where one of the others is away. */
const spareDriver = 'Arjun Baria';
const spareAttendant = 'Nita Gohil';

/** Their mobile numbers come after those of the other staff and before those of families. */
const firstMobile = 80_000;

/** A driver and an attendant for each bus, and one more of each. */
export async function seedCrew(ctx: Context, { today }: SeedPlan, branchId: number): Promise<number[]> {
  const { db } = ctx;
  const post = {
    designation: await idOf(db, 'academic_designation', 'Driver'),
    department: await idOf(db, 'academic_department', 'Transport'),
  };
  const category = await db
    .selectFrom('hris_staff_category')
    .where('kind', '=', 'Transport')
    .select('id')
    .executeTakeFirst();
  const ids: number[] = [];
  for (const [place, name] of [...crewNames, spareDriver, spareAttendant].entries()) {
    const isDriver = place < lines.length || name === spareDriver;
    const staffId = await addStaff(ctx, {
      name,
      email: null,
      mobile: fictionalMobile(firstMobile + place),
      gender: isDriver ? 'Male' : 'Female',
      joinedOn: '2021-06-01',
    });
    await db
      .insertInto('staff_post')
      .values({
        staff_id: staffId,
        effective_from: '2021-06-01',
        designation_id: post.designation,
        department_id: post.department,
        branch_id: branchId,
        staff_category_id: category?.id ?? null,
      })
      .execute();
    const { id } = await db
      .insertInto('transport_crew')
      .values({
        staff_id: staffId,
        is_driver: isDriver,
        is_attendant: !isDriver,
        licence_no: isDriver ? `GJ05 2019${String(100_000 + place)}` : '',
        licence_class: isDriver ? 'HPMV' : '',
        licence_expires_on: isDriver ? addDays(today, place === 3 ? 20 : 400 + place) : null,
        medical_expires_on: addDays(today, 200 + place),
        police_verified_on: '2024-05-10',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}

async function idOf(db: Database, table: 'academic_designation' | 'academic_department', name: string) {
  const found = await db.selectFrom(table).where('name', '=', name).select('id').executeTakeFirst();
  return found?.id ?? (await db.insertInto(table).values({ name }).returning('id').executeTakeFirstOrThrow()).id;
}

export async function seedStops(db: Database, yearId: number, branchId: number): Promise<Map<string, number>> {
  const slabIds = await db
    .insertInto('transport_fee_slab')
    .values(slabs.map(([name, from_km, to_km]) => ({ name, from_km, to_km })))
    .returning('id')
    .execute();
  await db
    .insertInto('transport_slab_price')
    .values(
      slabs.map(([, , , rupees], place) => ({
        academic_year_id: yearId,
        slab_id: slabIds[place]?.id ?? 0,
        month_amount: rupees * 100,
        one_way_share: 6000,
        months: months.filter((month) => month !== 'May'),
      })),
    )
    .execute();
  const rows = lines.flatMap(([area, , stops]) =>
    stops.map((name, place) => ({
      branch_id: branchId,
      name,
      area,
      slab_id: slabIds[Math.max(0, 3 - Math.floor(place / 2))]?.id ?? 0,
    })),
  );
  const made = await db.insertInto('transport_stop').values(rows).returning(['id', 'name']).execute();
  return new Map(made.map(({ id, name }) => [name, id]));
}

/** Seven buses, a hired van under repair, a bus that stands in and a spare one. One insurance ends soon. */
export async function seedVehicles(db: Database, { today }: SeedPlan, branchId: number): Promise<number[]> {
  const rows = Array.from({ length: lines.length + 3 }, (_, place) => {
    const isVan = place === lines.length;
    return {
      branch_id: branchId,
      fleet_no: isVan ? 'Van 8' : `Bus ${place + 1}`,
      registration_no: `GJ05BX${4101 + place * 37}`,
      kind: isVan ? 'Van' : 'Bus',
      ownership: isVan ? 'Hired' : 'Owned',
      vendor: isVan ? 'Shree Travels' : '',
      seat_capacity: isVan ? 12 : 50,
      reserved_seats: 2,
      make: isVan ? 'Force' : 'Tata',
      model: isVan ? 'Traveller' : 'Starbus',
      made_year: 2018 + (place % 5),
      fuel: 'Diesel',
    };
  });
  const made = await db.insertInto('transport_vehicle').values(rows).returning('id').execute();
  await insertRows(
    db,
    'transport_vehicle_document',
    made.flatMap(({ id }, place) =>
      mandatoryPapers.map((kind, paper) => ({
        vehicle_id: id,
        kind,
        number: `${kind.slice(0, 3).toUpperCase()}/${2600 + place}`,
        expires_on: addDays(today, place === 2 && kind === 'Insurance' ? 12 : 60 + place * 17 + paper * 31),
      })),
    ),
  );
  const van = made[lines.length];
  if (van)
    await db
      .insertInto('transport_vehicle_away')
      .values({ vehicle_id: van.id, effective_from: addDays(today, -3), reason: 'Workshop' })
      .execute();
  return made.map(({ id }) => id);
}

/** A bus is in the workshop today and tomorrow, and another one has its trips. */
export async function seedWorkshop(
  db: Database,
  { today }: SeedPlan,
  { vehicle, other, tripIds }: { vehicle: number; other: number; tripIds: number[] },
) {
  const act = '0b5e6a52-5c1c-4c0a-9f0e-3f0d6a2b7c11';
  const days = { effective_from: today, effective_to: addDays(today, 1), act };
  await db
    .insertInto('transport_stand_in')
    .values(
      tripIds.map((trip_id) => ({
        ...days,
        trip_id,
        role: 'Vehicle',
        vehicle_id: other,
        reason: 'Clutch',
        entered_by: sql`(select min(id) from staff)`,
        entered_at: `${addDays(today, -1)}T11:30:00Z`,
      })),
    )
    .execute();
  await layTrips({ db }, tripIds);
  await db
    .insertInto('transport_vehicle_away')
    .values({ ...days, vehicle_id: vehicle, reason: 'Workshop', note: 'Clutch' })
    .execute();
}

interface SeededRoute {
  branchId: number;
  place: number;
  name: string;
  direction: 'Pickup' | 'Drop';
  stops: readonly number[];
  partnerId?: number;
}

interface SeededDuty {
  vehicle: number;
  driver: number;
  attendant: number;
  from: string;
}

export async function seedRoute(db: Database, route: SeededRoute, slotId: number, duty: SeededDuty) {
  const { branchId, place, name, direction, stops, partnerId } = route;
  const { id: routeId } = await db
    .insertInto('transport_route')
    .values({
      branch_id: branchId,
      code: `${direction === 'Pickup' ? 'P' : 'D'}${place + 1}`,
      name: direction === 'Pickup' ? `${name} to school` : `School to ${name}`,
      direction,
      partner_id: partnerId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (partnerId !== undefined)
    await db.updateTable('transport_route').set({ partner_id: routeId }).where('id', '=', partnerId).execute();
  const { id: planId } = await db
    .insertInto('transport_route_plan')
    .values({ route_id: routeId, effective_from: duty.from })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = stops.map((stop_id, seq) => ({ plan_id: planId, seq: seq + 1, stop_id, offset_min: 8 * seq }));
  await insertRows(db, 'transport_route_stop', rows);
  const { id: tripId } = await db
    .insertInto('transport_trip')
    .values({ route_id: routeId, time_slot_id: slotId, direction })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('transport_standing')
    .values([
      { trip_id: tripId, role: 'Vehicle', vehicle_id: duty.vehicle, effective_from: duty.from },
      { trip_id: tripId, role: 'Driver', crew_id: duty.driver, effective_from: duty.from },
      { trip_id: tripId, role: 'Attendant', crew_id: duty.attendant, effective_from: duty.from },
    ])
    .execute();
  await layTrips({ db }, [tripId]);
  return { routeId, tripId };
}
