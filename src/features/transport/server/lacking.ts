import { sql } from 'kysely';
import { mandatoryPapers } from '../contract/masters.ts';

/** In a query of `duty`, its `vehicle` and the driver's `crew`: the papers that are missing or have expired, as JSON. */
export const lackingPapers = (day: string) => sql<string[]>`(
  select coalesce(json_agg(lacks.what), '[]') from (
    select kind as what from unnest(${mandatoryPapers}::text[]) as kind
    where not exists (select from transport_vehicle_document paper
      where paper.vehicle_id = vehicle.id and paper.kind = kind.kind and paper.is_active and paper.expires_on >= ${day}::date)
    union all select 'Licence' where coalesce(crew.licence_expires_on, '-infinity') < ${day}::date
    union all select 'Medical check' where coalesce(crew.medical_expires_on, '-infinity') < ${day}::date) as lacks)`;
