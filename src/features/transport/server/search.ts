import { sql } from 'kysely';
import { transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import { contains } from '#kit/server/list/pagination.ts';
import type { SearchGroup } from '#kit/server/search.ts';

const least = 2;

/** Vehicles by fleet number, and by registration number with or without spaces, hyphens, slashes and dots. */
export const vehicleSearch: SearchGroup = {
  kind: 'vehicle',
  title: text`Vehicles`,
  roles: ['Staff'],
  sets: ['transportIncharge', 'principal'],
  find: async ({ db, user }, search, most) => {
    const plain = search.replace(/[\s./-]/g, '');
    if (plain.length < least) return [];
    const { rows } = await sql<{ id: number; fleet: string; registration: string; kind: string }>`
      select id, fleet_no as fleet, registration_no as registration, kind from transport_vehicle vehicle
      where (fleet_no ilike ${contains(search)} or registration_no ilike ${contains(plain)})
        and ${inScope(user, transportReaders, { branch: sql`vehicle.branch_id` })}
      order by is_active desc, lower(fleet_no), id limit ${most}`.execute(db);
    return rows.map(({ id, fleet, registration, kind }) => ({
      id,
      title: fleet,
      detail: `${registration} · ${kind}`,
      to: `transport/vehicle?search=${encodeURIComponent(fleet)}`,
    }));
  },
};
