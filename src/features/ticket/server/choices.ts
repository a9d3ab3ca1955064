import { sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { requireEmployed } from '#features/staff/api.ts';
import { isPlacedOn, studentOptions } from '#features/student/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { type ticketApi, ticketMessages } from '../contract/ticket.ts';

interface Choice {
  id: number;
  name: string;
  isActive: boolean;
}

/** The students whom the user may see today. */
const inReach = ({ user }: UserContext) =>
  inScope(user, studentReaders, { branch: sql`place.branch_id`, section: sql`place.section_id` });

const students: Handler<typeof ticketApi.students> = (ctx, asked) =>
  studentOptions(ctx, studentReaders, asked, isPlacedOn(toLocalDate(ctx.now())));

/** Refuses a student whom the user may not choose. */
export async function requireSeen(ctx: UserContext, studentId: number | null) {
  if (studentId === null) return;
  const { rows } = await sql`select from student_on(${toLocalDate(ctx.now())}) place
    where place.student_id = ${studentId} and ${inReach(ctx)}`.execute(ctx.db);
  if (rows.length === 0) throw fieldRefusal('aboutStudentId', ticketMessages.needsStudent);
}

const rooms: Handler<typeof ticketApi.rooms> = async ({ db }, { search, state, limit, chosenId }) => {
  const { rows } = await sql<Choice>`
    select room.id, concat_ws(', ', room.name, nullif(room.building, ''), branch.name) as name, room.is_active as "isActive"
    from academic_room room join academic_branch branch on branch.id = room.branch_id
    where (concat_ws(' ', room.name, room.building, branch.name) ilike ${contains(search)}
        and (${state} = '' or room.is_active = (${state} = 'active'))) or room.id = ${chosenId}
    order by room.id is distinct from ${chosenId}, branch.name, room.name, room.id limit ${limit}`.execute(db);
  return rows;
};

const departments: Handler<typeof ticketApi.departments> = async ({ db }, { search, state, limit, chosenId }) => {
  const { rows } = await sql<Choice>`
    select id, name, is_active as "isActive" from academic_department
    where (name ilike ${contains(search)} and (${state} = '' or is_active = (${state} = 'active'))) or id = ${chosenId}
    order by id is distinct from ${chosenId}, name, id limit ${limit}`.execute(db);
  return rows;
};

const replies: Handler<typeof ticketApi.replies> = ({ db }) =>
  db
    .selectFrom('ticket_canned_reply')
    .where('is_active', '=', true)
    .select(['id', 'name', 'text'])
    .orderBy(sql`lower(name)`)
    .limit(100)
    .execute();

/** Refuses a colleague who does not work here today, and a room that is not in use. */
export async function requireChoices(
  ctx: UserContext,
  { aboutStaffId, roomId }: { aboutStaffId: number | null; roomId: number | null },
) {
  if (aboutStaffId !== null) await requireEmployed(ctx, aboutStaffId, 'aboutStaffId');
  if (roomId === null) return;
  const room = await ctx.db
    .selectFrom('academic_room')
    .where('id', '=', roomId)
    .where('is_active', '=', true)
    .select('id')
    .executeTakeFirst();
  if (!room) throw fieldRefusal('roomId', inactiveMessage);
}

export const choiceHandlers = { students, rooms, departments, replies };
