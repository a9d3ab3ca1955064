import { sql } from 'kysely';
import { childrenOf, familyPart } from '#features/family/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { HolderContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type FamilyMeeting, familyMeetingApi, familyMeetings } from '../contract/family.ts';
import { familyMeetingMessages } from '../contract/family-messages.ts';
import { bookSlot, freeSlot, freeTimes } from './book.ts';
import { isClassTeacher, placeOf, subjectsOf, timeOfDay } from './read.ts';

/** A time is given up here until so long before it. */
const hoursBefore = 12;

const mayFree = (now: Date) =>
  sql<boolean>`slot.starts_at > ${now}::timestamptz + make_interval(hours => ${hoursBefore})`;

/** Whether a teacher of a meeting is for a child: who teaches its section, and everyone who teaches none of the meeting. */
const teaches = sql<boolean>`(exists (select from academic_section_teacher own where own.staff_id = host.staff_id
    and own.section_id = child.section_id and meeting.day between own.effective_from and coalesce(own.effective_to, 'infinity'))
  or not exists (select from meeting_section part join academic_section_teacher own on own.section_id = part.section_id
    where part.meeting_id = meeting.id and own.staff_id = host.staff_id
      and meeting.day between own.effective_from and coalesce(own.effective_to, 'infinity')))`;

/** The meetings of the children’s sections from today on, with each child’s teachers and the own times. */
export const meetingPart = familyPart({
  key: 'meeting',
  output: familyMeetings,
  read: async (ctx, { guardianId, day, children }) => {
    const placed = children.filter(({ sectionId }) => sectionId !== null);
    const { rows } = await sql<FamilyMeeting>`
      with own as (select "studentId" as student_id, "sectionId" as section_id, name
        from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as child ("studentId" integer, "sectionId" integer, name text)),
      line as (
        select meeting.id, meeting.name, meeting.day, meeting.books_until, host.id as host_id, staff.name as teacher,
          ${isClassTeacher} as is_class_teacher, ${subjectsOf} as subjects, child.student_id, child.name as child_name,
          (select json_build_object('slotId', slot.id, 'from', ${timeOfDay(sql`slot.starts_at`)}, 'to', ${timeOfDay(sql`slot.ends_at`)},
              'place', ${placeOf}, 'mayFree', ${mayFree(ctx.now())})
            from meeting_slot slot where slot.host_id = host.id and slot.student_id = child.student_id and not slot.is_closed
              and (not meeting.is_apart or slot.guardian_id = ${guardianId}) limit 1) as booked
        from meeting join meeting_section part on part.meeting_id = meeting.id
        join own child on child.section_id = part.section_id
        join meeting_host host on host.meeting_id = meeting.id and not host.is_closed
        join staff on staff.id = host.staff_id
        where meeting.state = 'Open' and meeting.day >= ${day}::date and ${teaches})
      select id, name, day, books_until as "booksUntil", books_until >= ${day}::date as "mayBook",
        json_agg(json_build_object('hostId', host_id, 'teacher', teacher, 'isClassTeacher', is_class_teacher,
          'subjects', subjects, 'studentId', student_id, 'child', child_name,
          'booked', booked) order by child_name, student_id, not is_class_teacher, lower(teacher), host_id) as teachers
      from line group by id, name, day, books_until order by day, id`.execute(ctx.db);
    return rows;
  },
  dates: async ({ db }, { guardianId, children }, { from, to }) => {
    const { rows } = await sql<{
      hostId: number;
      studentId: number;
      teacher: string;
      place: string;
      starts: Date;
      ends: Date;
    }>`
      select host.id as "hostId", slot.student_id as "studentId", staff.name as teacher, ${placeOf} as place,
        slot.starts_at as starts, slot.ends_at as ends
      from meeting_slot slot join meeting_host host on host.id = slot.host_id and not host.is_closed
      join meeting on meeting.id = host.meeting_id join staff on staff.id = host.staff_id
      where slot.student_id = any(${children.map(({ studentId }) => studentId)}::integer[]) and not slot.is_closed
        and (not meeting.is_apart or slot.guardian_id = ${guardianId})
        and meeting.state = 'Open' and meeting.day between ${from}::date and ${to}::date
      order by slot.starts_at, slot.id`.execute(db);
    return rows.map(({ hostId, studentId, teacher, place, starts, ends }) => ({
      key: `meeting-${hostId}-${studentId}`,
      of: [studentId],
      words: text`Meeting with ${{ teacher }}`,
      place,
      when: { starts, ends },
    }));
  },
});

/** Acts of one link within an hour: far more than a family needs. */
const acts = { kind: 'family-meeting', most: 120, windowSeconds: 3600 };

async function requireTurn({ db, holder }: HolderContext) {
  const wait = await countHit(db, acts, String(holder.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
}

/** A teacher’s times in an open meeting of the guardian’s children; throws `not_found` for others. */
async function requireHost(ctx: HolderContext, hostId: number, studentId?: number) {
  const today = toLocalDate(ctx.now());
  const children = (await childrenOf(ctx, ctx.holder.id, today)).filter(
    (one) => one.sectionId !== null && (studentId === undefined || one.studentId === studentId),
  );
  const { rows } = await sql<{
    id: number;
    name: string;
    day: string;
    booksUntil: string;
    isApart: boolean;
    teacher: string;
    place: string;
  }>`
    select meeting.id, meeting.name, meeting.day, meeting.books_until as "booksUntil", meeting.is_apart as "isApart",
      staff.name as teacher, ${placeOf} as place
    from meeting_host host join meeting on meeting.id = host.meeting_id join staff on staff.id = host.staff_id
    where host.id = ${hostId} and not host.is_closed and meeting.state = 'Open' and meeting.day >= ${today}::date
      and exists (select from unnest(${children.map(({ sectionId }) => sectionId)}::integer[]) as child (section_id)
        join meeting_section part on part.section_id = child.section_id and part.meeting_id = meeting.id where ${teaches})`.execute(
    ctx.db,
  );
  const [found] = rows;
  if (!found) throw notFound();
  return { ...found, isOver: found.booksUntil < today };
}

export const familyMeetingRoutes = routes(familyMeetingApi, {
  slots: async (ctx, { id }) => {
    await requireTurn(ctx);
    await requireHost(ctx, id);
    return freeTimes(ctx, id);
  },
  book: async (ctx, { id, studentId }) => {
    await requireTurn(ctx);
    const slot = await ctx.db
      .selectFrom('meeting_slot')
      .where('id', '=', id)
      .select(['host_id', 'starts_at', 'is_closed'])
      .executeTakeFirstOrThrow(notFound);
    const meeting = await requireHost(ctx, slot.host_id, studentId);
    if (meeting.isOver || slot.starts_at <= ctx.now()) throw new AppError('conflict', familyMeetingMessages.ended);
    if (slot.is_closed) throw new AppError('conflict', familyMeetingMessages.closed);
    const booked = await bookSlot(ctx, {
      slotId: id,
      hostId: slot.host_id,
      studentId,
      guardianId: ctx.holder.id,
      isApart: meeting.isApart,
    });
    await audit(ctx, {
      actor: 'Parent',
      action: 'meeting.booked',
      entity: 'student',
      entityId: studentId,
      details: { meeting: meeting.name, day: meeting.day, teacher: meeting.teacher, at: booked.from },
    });
    return {
      ...booked,
      place: meeting.place,
      mayFree: slot.starts_at.getTime() > ctx.now().getTime() + hoursBefore * 3_600_000,
    };
  },
  free: async (ctx, { id }) => {
    await requireTurn(ctx);
    const { rows } = await sql<{ studentId: number; hostId: number; mayFree: boolean }>`
      select slot.student_id as "studentId", slot.host_id as "hostId", ${mayFree(ctx.now())} as "mayFree"
      from meeting_slot slot where slot.id = ${id} and slot.student_id is not null and not slot.is_closed for update`.execute(
      ctx.db,
    );
    const [slot] = rows;
    if (!slot) throw notFound();
    const meeting = await requireHost(ctx, slot.hostId, slot.studentId);
    // Where each parent books apart, the other one's time is theirs.
    const own = await ctx.db.selectFrom('meeting_slot').where('id', '=', id).select('guardian_id').executeTakeFirst();
    if (meeting.isApart && own?.guardian_id !== ctx.holder.id) throw notFound();
    if (!slot.mayFree) throw new AppError('conflict', familyMeetingMessages.late);
    await freeSlot(ctx, id);
    await audit(ctx, {
      actor: 'Parent',
      action: 'meeting.freed',
      entity: 'student',
      entityId: slot.studentId,
      details: { meeting: meeting.name, day: meeting.day, teacher: meeting.teacher },
    });
    return {};
  },
});
