import { sql } from 'kysely';
import { inScope, reachesBranch } from '#access/server/scope.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { minuteOf, slotsOf } from '#kit/contract/slots.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { atMinute, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type meetingApi, meetingKeepers, meetingMessages } from '../contract/meeting.ts';

/** Locks a meeting of the user's branches; throws `stale` for another version. */
export async function lockMeeting(ctx: UserContext, { id, version }: { id: number; version?: number }) {
  const found = await ctx.db
    .selectFrom('meeting')
    .where('id', '=', id)
    .where(inScope(ctx.user, meetingKeepers, { branch: sql`meeting.branch_id` }))
    .select(['id', 'version', 'name', 'day', 'minutes', 'gap', 'walk', 'is_apart', 'branch_id', 'academic_year_id'])
    .select(sql<'Draft' | 'Open' | 'Cancelled'>`state`.as('state'))
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(found, version, { saved: found });
  return found;
}

/** Locks the meeting of a teacher's times, then reads these. */
export async function lockHost(ctx: UserContext, id: number) {
  const own = await ctx.db.selectFrom('meeting_host').where('id', '=', id).select('meeting_id').executeTakeFirst();
  if (!own) throw notFound();
  const meeting = await lockMeeting(ctx, { id: own.meeting_id });
  const host = await ctx.db
    .selectFrom('meeting_host')
    .innerJoin('staff', 'staff.id', 'meeting_host.staff_id')
    .where('meeting_host.id', '=', id)
    .select(['meeting_host.id', 'staff_id', 'staff.name as teacher', 'starts_at', 'ends_at', 'is_closed'])
    .executeTakeFirstOrThrow(notFound);
  return { meeting, host };
}

/** Raises the version, so that an earlier preview is refused. */
export const raise = (ctx: UserContext, id: number) =>
  ctx.db.updateTable('meeting').set({ version: sql`version + 1` }).where('id', '=', id).execute();

export const offer: Handler<typeof meetingApi.offer> = async (ctx) => {
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<{ id: number; name: string; group: string }>`
    select section.id, academic_section_name(grade.name, section.name) as name,
      case when count(*) over () > count(*) over (partition by section.branch_id) then branch.name || ', ' else '' end || grade.name as "group"
    from academic_section section
    join academic_grade grade on grade.id = section.grade_id
    join academic_branch branch on branch.id = section.branch_id
    where section.academic_year_id = academic_year_on(${today}::date) and section.is_active
      and ${inScope(ctx.user, meetingKeepers, { branch: sql`section.branch_id` })}
    order by branch.name, branch.id, grade.position, lower(section.name)`.execute(ctx.db);
  return { today, sections: rows };
};

interface Times {
  day: string;
  from: string;
  to: string;
}

const spanOf = ({ day, from, to }: Times) => ({
  startsAt: atMinute(day, minuteOf(from)),
  endsAt: atMinute(day, minuteOf(to)),
});

/** Refuses a span that has no time for one talk. */
function requireTalk({ from, to, minutes, gap }: Omit<Times, 'day'> & { minutes: number; gap: number }) {
  if (slotsOf({ from: minuteOf(from), to: minuteOf(to), minutes, gap }).length === 0)
    throw fieldRefusal('to', meetingMessages.short);
}

function requireDays(ctx: UserContext, { day, booksUntil }: { day: string; booksUntil: string }) {
  if (day < toLocalDate(ctx.now())) throw fieldRefusal('day', meetingMessages.past);
  if (booksUntil > day) throw fieldRefusal('booksUntil', meetingMessages.until);
}

/** The sections of the meeting; their one branch. */
async function requireSections(ctx: UserContext, ids: readonly number[], yearId: number) {
  const rows = await ctx.db
    .selectFrom('academic_section')
    .where('id', 'in', [...ids])
    .where('academic_year_id', '=', yearId)
    .where('is_active', '=', true)
    .select(['id', 'branch_id'])
    .execute();
  const [first] = rows;
  if (!first || rows.length < new Set(ids).size) throw notFound();
  if (rows.some(({ branch_id }) => branch_id !== first.branch_id))
    throw fieldRefusal('sectionIds', meetingMessages.branches);
  if (!reachesBranch(ctx.user, first.branch_id)) throw notFound();
  return first.branch_id;
}

export const create: Handler<typeof meetingApi.create> = async (
  ctx,
  { sectionIds, hasSubjects, from, to, ...plan },
) => {
  requireDays(ctx, plan);
  requireTalk({ from, to, ...plan });
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${plan.day}::date)`)
    .select('id')
    .executeTakeFirst();
  if (!year) throw fieldRefusal('day', meetingMessages.noYear);
  const branchId = await requireSections(ctx, sectionIds, year.id);
  const { name, day, minutes, gap, walk, booksUntil, isApart } = plan;
  const { id } = await ctx.db
    .insertInto('meeting')
    .values({
      academic_year_id: year.id,
      branch_id: branchId,
      name,
      day,
      minutes,
      gap,
      walk,
      books_until: booksUntil,
      is_apart: isApart,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertTogether(
    ctx.db,
    'meeting_section',
    [...new Set(sectionIds)].map((sectionId) => ({ meetingId: id, sectionId })),
  );
  const roles = hasSubjects ? ['Class teacher', 'Subject teacher'] : ['Class teacher'];
  const { startsAt, endsAt } = spanOf({ day, from, to });
  // A class teacher talks in the room of the section, where it is free; who teaches in several sections gets a room later.
  await sql`insert into meeting_host (meeting_id, staff_id, room_id, starts_at, ends_at)
    select ${id}::integer, one.staff_id, case when row_number() over (partition by one.room_id order by one.staff_id) = 1
        and not exists (select from meeting_host other where other.room_id = one.room_id and not other.is_closed
          and other.during && tstzrange(${startsAt}, ${endsAt})) then one.room_id end,
      ${startsAt}::timestamptz, ${endsAt}::timestamptz
    from (select own.staff_id, max(section.room_id) filter (where own.role = 'Class teacher') as room_id
      from academic_section_teacher own join academic_section section on section.id = own.section_id
      where own.section_id = any(${sectionIds}::integer[]) and own.role = any(${roles}::text[])
        and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
      group by own.staff_id) as one`.execute(ctx.db);
  await audit(ctx, {
    action: 'meeting.created',
    entity: 'meeting',
    entityId: id,
    version: 1,
    details: { name, day, sections: sectionIds.length },
  });
  return { id };
};

export const update: Handler<typeof meetingApi.update> = async (ctx, { id, version, ...plan }) => {
  const before = await lockMeeting(ctx, { id, version });
  if (before.state !== 'Draft') throw new AppError('conflict', meetingMessages.notDraft);
  requireDays(ctx, { day: before.day, booksUntil: plan.booksUntil });
  const { name, minutes, gap, walk, booksUntil, isApart } = plan;
  await ctx.db
    .updateTable('meeting')
    .set({ name, minutes, gap, walk, books_until: booksUntil, is_apart: isApart, version: before.version + 1 })
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: 'meeting.changed',
    entity: 'meeting',
    entityId: id,
    version: before.version + 1,
    details: { name, minutes, gap, walk, booksUntil, isApart },
  });
  return {};
};

export const addHost: Handler<typeof meetingApi.addHost> = async (ctx, { id, staffId, from, to, roomId, place }) => {
  const meeting = await lockMeeting(ctx, { id });
  if (meeting.state === 'Cancelled') throw new AppError('conflict', meetingMessages.notOpen);
  requireTalk({ from, to, ...meeting });
  const person = await ctx.db
    .selectFrom('staff_post')
    .innerJoin('staff', 'staff.id', 'staff_post.staff_id')
    .where('staff_id', '=', staffId)
    .where('branch_id', '=', meeting.branch_id)
    .where(sql<boolean>`${meeting.day}::date between effective_from and coalesce(effective_to, 'infinity')`)
    .select('name')
    .executeTakeFirst();
  if (!person) throw fieldRefusal('staffId', meetingMessages.notTeacher);
  const span = spanOf({ day: meeting.day, from, to });
  const host = await ctx.db
    .insertInto('meeting_host')
    .values({
      meeting_id: id,
      staff_id: staffId,
      room_id: roomId,
      place,
      starts_at: span.startsAt,
      ends_at: span.endsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (meeting.state === 'Open') await makeSlots(ctx, meeting, [{ id: host.id, staffId, from, to }]);
  await raise(ctx, id);
  await audit(ctx, {
    action: 'meeting.teacher-added',
    entity: 'meeting',
    entityId: id,
    details: { teacher: person.name, from, to },
  });
  return {};
};

export const changeHost: Handler<typeof meetingApi.changeHost> = async (ctx, { id, from, to, roomId, place }) => {
  const { meeting, host } = await lockHost(ctx, id);
  if (meeting.state === 'Cancelled' || host.is_closed) throw new AppError('conflict', meetingMessages.notOpen);
  const span = spanOf({ day: meeting.day, from, to });
  const isMoved = Number(span.startsAt) !== Number(host.starts_at) || Number(span.endsAt) !== Number(host.ends_at);
  if (isMoved && meeting.state !== 'Draft') throw fieldRefusal('from', meetingMessages.notDraft);
  requireTalk({ from, to, ...meeting });
  await ctx.db
    .updateTable('meeting_host')
    .set({ room_id: roomId, place, starts_at: span.startsAt, ends_at: span.endsAt })
    .where('id', '=', id)
    .execute();
  await raise(ctx, meeting.id);
  await audit(ctx, {
    action: 'meeting.teacher-changed',
    entity: 'meeting',
    entityId: meeting.id,
    details: { teacher: host.teacher, from, to, place },
  });
  return {};
};

export const removeHost: Handler<typeof meetingApi.removeHost> = async (ctx, { id }) => {
  const { meeting, host } = await lockHost(ctx, id);
  const booked = await ctx.db
    .selectFrom('meeting_slot')
    .where('host_id', '=', id)
    .where('student_id', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (booked) throw new AppError('conflict', meetingMessages.booked);
  await ctx.db.deleteFrom('meeting_host').where('id', '=', id).execute();
  await raise(ctx, meeting.id);
  await audit(ctx, {
    action: 'meeting.teacher-removed',
    entity: 'meeting',
    entityId: meeting.id,
    details: { teacher: host.teacher },
  });
  return {};
};

/** Makes the times of some teachers of a meeting. */
export async function makeSlots(
  { db }: Pick<UserContext, 'db'>,
  { day, minutes, gap, walk }: { day: string; minutes: number; gap: number; walk: number },
  hosts: readonly { id: number; staffId: number; from: string; to: string }[],
): Promise<number> {
  const rows = hosts.flatMap(({ id, staffId, from, to }) =>
    slotsOf({ from: minuteOf(from), to: minuteOf(to), minutes, gap }).map((slot) => ({
      hostId: id,
      staffId,
      startsAt: atMinute(day, slot.from),
      endsAt: atMinute(day, slot.to),
      leavesAt: atMinute(day, slot.to + walk),
    })),
  );
  await insertTogether(db, 'meeting_slot', rows);
  return rows.length;
}
