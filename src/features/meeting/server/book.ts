import { sql } from 'kysely';
import { studentOptions } from '#features/student/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { familyMeetingMessages } from '../contract/family-messages.ts';
import { type meetingApi, meetingKeepers, meetingMessages, type meetingStudents } from '../contract/meeting.ts';
import { lockHost } from './plan.ts';
import { readSeenHost, timeOfDay } from './read.ts';

/** So many free times are named to a family whose time was taken. */
const mostOffered = 3;

/** The free times of a teacher from now on. */
export async function freeTimes({ db, now }: Pick<Context, 'db' | 'now'>, hostId: number, most = 200) {
  const { rows } = await sql<{ id: number; from: string; to: string }>`
    select id, ${timeOfDay(sql`starts_at`)} as "from", ${timeOfDay(sql`ends_at`)} as "to" from meeting_slot
    where host_id = ${hostId} and student_id is null and not is_closed and starts_at > ${now()}
    order by starts_at limit ${most}`.execute(db);
  return rows;
}

interface Booking {
  slotId: number;
  hostId: number;
  studentId: number;
  guardianId: number;
  isApart: boolean;
  /** Who books for a family. */
  staffId?: number | undefined;
}

/** Books a time in one statement. If two families choose it at once, the second gets a list of times still free. */
export async function bookSlot(ctx: Context, { slotId, hostId, studentId, guardianId, isApart, staffId }: Booking) {
  const { rows } = await sql<{ from: string; to: string }>`
    update meeting_slot set student_id = ${studentId}, guardian_id = ${guardianId}, apart_id = ${isApart ? guardianId : 0},
      booked_at = ${ctx.now()}, booked_by = ${staffId ?? null}
    where id = ${slotId} and student_id is null and not is_closed
    returning ${timeOfDay(sql`starts_at`)} as "from", ${timeOfDay(sql`ends_at`)} as "to"`.execute(ctx.db);
  const [booked] = rows;
  if (booked) return booked;
  const free = await freeTimes(ctx, hostId, mostOffered);
  throw new AppError(
    'conflict',
    free.length === 0
      ? familyMeetingMessages.taken
      : text`This time was taken a moment ago. Still free: ${{ times: free.map(({ from }) => from).join(', ') }}`,
  );
}

/** Empties a time. */
export const freeSlot = ({ db }: Pick<Context, 'db'>, id: number) =>
  db
    .updateTable('meeting_slot')
    .set({ student_id: null, guardian_id: null, apart_id: 0, booked_at: null, booked_by: null, came: '', note: '' })
    .where('id', '=', id)
    .execute();

async function readSlot({ db }: Pick<Context, 'db'>, id: number) {
  return db
    .selectFrom('meeting_slot as slot')
    .where('slot.id', '=', id)
    .select(['slot.id', 'slot.host_id', 'slot.student_id', 'slot.guardian_id', 'slot.starts_at', 'slot.is_closed'])
    .executeTakeFirstOrThrow(notFound);
}

/** The adult who comes for a child that the office books for: the first of those who see it. */
async function firstAdult(ctx: Context, studentId: number, meetingId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select pair.guardian_id as id from family_pairs(${toLocalDate(ctx.now())}) pair
    join meeting_section own on own.section_id = pair.section_id and own.meeting_id = ${meetingId}
    join student_guardian bond on bond.student_id = pair.student_id and bond.guardian_id = pair.guardian_id
    where pair.student_id = ${studentId} order by bond.is_primary desc, bond.contact_order, bond.id limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

export const students: Handler<typeof meetingStudents> = (ctx, asked) => studentOptions(ctx, meetingKeepers, asked);

export const book: Handler<typeof meetingApi.book> = async (ctx, { id, studentId }) => {
  const slot = await readSlot(ctx, id);
  const { meeting, host } = await lockHost(ctx, slot.host_id);
  if (meeting.state !== 'Open') throw new AppError('conflict', meetingMessages.notOpen);
  const guardianId = await firstAdult(ctx, Number(studentId), meeting.id);
  if (guardianId === undefined) throw fieldRefusal('studentId', meetingMessages.notInSections);
  const { from } = await bookSlot(ctx, {
    slotId: id,
    hostId: slot.host_id,
    studentId: Number(studentId),
    guardianId,
    isApart: meeting.is_apart,
    staffId: ctx.user.staffId,
  });
  await audit(ctx, {
    action: 'meeting.booked',
    entity: 'student',
    entityId: Number(studentId),
    details: { meeting: meeting.name, day: meeting.day, teacher: host.teacher, at: from },
  });
  return {};
};

export const free: Handler<typeof meetingApi.free> = async (ctx, { id }) => {
  const before = await readSlot(ctx, id);
  const { meeting, host } = await lockHost(ctx, before.host_id);
  const { student_id: studentId } = await readSlot(ctx, id);
  if (studentId === null) throw new AppError('conflict', meetingMessages.empty);
  await freeSlot(ctx, id);
  await audit(ctx, {
    action: 'meeting.freed',
    entity: 'student',
    entityId: studentId,
    details: { meeting: meeting.name, day: meeting.day, teacher: host.teacher },
  });
  return {};
};

export const came: Handler<typeof meetingApi.came> = async (ctx, { id, came: word, note }) => {
  const slot = await readSlot(ctx, id);
  const { teacher } = await readSeenHost(ctx, slot.host_id);
  if (slot.student_id === null || slot.is_closed) throw new AppError('conflict', meetingMessages.empty);
  if (slot.starts_at > ctx.now()) throw new AppError('conflict', meetingMessages.notYet);
  await ctx.db.updateTable('meeting_slot').set({ came: word, note }).where('id', '=', id).execute();
  await audit(ctx, {
    action: 'meeting.came',
    entity: 'student',
    entityId: slot.student_id,
    details: { teacher, attendance: String(word) },
  });
  return {};
};
