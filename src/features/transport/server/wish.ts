import { sql } from 'kysely';
import { riderReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { listTransportWishes } from '#features/admission/api.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { riderApi } from '../contract/rider.ts';

const mostShown = 100;

/** Students whose form asked for the bus, and who have no seat today or later. */
export const wishes: Handler<typeof riderApi.wishes> = async (ctx) => {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  const years = await db.selectFrom('academic_year').where('status', '<>', 'Closed').select('id').execute();
  const wished = (await Promise.all(years.map(({ id }) => listTransportWishes(ctx, id)))).flat();
  const { rows } = await sql<{ id: number; name: string; section: string }>`
    select student.id, student.name, place.name as section
    from student
    join lateral student_place(student.id, ${today}::date) place on place.tense <> 'future'
    where student.id = any(${wished}::integer[]) and coalesce(student.left_on >= ${today}::date, true)
      and ${inScope(user, riderReaders, { branch: sql`place.branch_id` })}
      and not exists (select from transport_assignment own where own.student_id = student.id
        and coalesce(own.effective_to, 'infinity') >= ${today}::date)
    order by student.sort_name, student.id limit ${mostShown}`.execute(db);
  return { students: rows };
};
