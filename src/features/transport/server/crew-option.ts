import { type RawBuilder, sql } from 'kysely';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { mostOptions } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { OptionsInput } from '#kit/server/master/options.ts';
import { containsText } from '#kit/server/search.ts';
import type { crewApi } from '../contract/crew.ts';

/** The people of a crew who do this work, and the chosen one. */
const withWork =
  (does: RawBuilder<boolean>) =>
  async ({ db }: UserContext, asked: unknown) => {
    const { search, state, limit, chosenId } = asked as OptionsInput;
    const { rows } = await sql<OutputOf<typeof crewApi.drivers>[number]>`
      select crew.id, staff.name, crew.is_active as "isActive",
        staff.employee_number as detail
      from transport_crew crew join staff on staff.id = crew.staff_id
      where crew.id = ${chosenId} or (${does} and ${containsText(sql`staff.name`, search)}
        and (${state} = '' or crew.is_active = (${state} = 'active')))
      order by crew.id is distinct from ${chosenId}, lower(staff.name), crew.id
      limit ${Math.min(limit, mostOptions)}`.execute(db);
    return rows;
  };

export const drivers = withWork(sql`crew.is_driver`);
export const attendants = withWork(sql`crew.is_attendant`);
