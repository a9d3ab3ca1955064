import { type RawBuilder, sql } from 'kysely';

/** The crew that can’t be there on some of these days, as rows of `crew_id`. */
export const awayCrew = (_from: string, _to: string): RawBuilder<unknown> =>
  sql`(select id as crew_id from transport_crew where not is_active)`;
