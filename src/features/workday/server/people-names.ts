import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Names } from '#kit/server/master/cells.ts';
import { leaveKeepers } from '../contract/access.ts';

/** For a file: the staff of the user's branches by employee number, and as they are shown. */
export async function readPeople({ db, user, now }: UserContext): Promise<Names> {
  const { rows } = await sql<{ id: number; name: string; number: string }>`
    select staff.id, staff.name, staff.employee_number as number from staff
    where exists (select from staff_employment spell where spell.staff_id = staff.id)
      and ${inScope(user, leaveKeepers, { branch: branchOn(toLocalDate(now())) })}`.execute(db);
  const names: Names[string] = new Map();
  for (const { id, name, number } of rows) {
    const shown = `${number} ${name}`;
    const entry = [{ id, isActive: true, name: shown }];
    names.set(sameText(number), entry);
    names.set(sameText(shown), entry);
  }
  return { staffId: names };
}
