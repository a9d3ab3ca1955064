import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound } from '#kit/server/record/version.ts';
import {
  type Meeting,
  type MeetingHost,
  type MeetingSlot,
  type meetingApi,
  meetingKeepers,
  meetingList,
  type meetingStates,
} from '../contract/meeting.ts';

/** The time of day of a moment, as 15:10. */
export const timeOfDay = (moment: RawBuilder<unknown>) =>
  sql<string>`to_char(${moment} at time zone 'Asia/Kolkata', 'HH24:MI')`;

const mapped = sql`meeting_section part join academic_section_teacher own on own.section_id = part.section_id
    and meeting.day between own.effective_from and coalesce(own.effective_to, 'infinity')
  left join configuration_subject subject on subject.id = own.subject_id
  where part.meeting_id = meeting.id and own.staff_id = host.staff_id`;

/** Whether a member of staff leads a section of a meeting on its day. */
export const isClassTeacher = sql<boolean>`exists (select from ${mapped} and own.role in ('Class teacher', 'Co-class teacher'))`;

/** The subjects that a member of staff teaches the sections of a meeting on its day. */
export const subjectsOf = sql<string>`coalesce((select string_agg(distinct subject.name, ', ') from ${mapped}
  and own.role = 'Subject teacher'), '')`;

/** Where a teacher talks. */
export const placeOf = sql<string>`coalesce(nullif(host.place, ''), (select name from academic_room where id = host.room_id), '')`;

/** Whether the user has times in a meeting, and teaches a section of it today. */
const hasTimes = ({ user: { staffId, scope } }: UserContext) => sql<boolean>`exists (select from meeting_host own
  join meeting_section part on part.meeting_id = own.meeting_id
  where own.meeting_id = meeting.id and own.staff_id = ${staffId}
    and part.section_id = any(${[...scope.led, ...scope.taught]}::integer[]))`;

export const isKept = ({ user }: UserContext) => inScope(user, meetingKeepers, { branch: sql`meeting.branch_id` });

/** The meetings that the user sees: those of the branches, and those in which the user has times. */
export const isSeen = (ctx: UserContext) => sql<boolean>`(${isKept(ctx)} or ${hasTimes(ctx)})`;

const sectionsOf = sql<string>`(select string_agg(academic_section_name(grade.name, section.name), ' · '
    order by grade.position, lower(section.name))
  from meeting_section own join academic_section section on section.id = own.section_id
  join academic_grade grade on grade.id = section.grade_id where own.meeting_id = meeting.id)`;

const countOf = (condition: RawBuilder<boolean>) => sql<number>`(select count(*)::integer from meeting_host host
  join meeting_slot slot on slot.host_id = host.id where host.meeting_id = meeting.id and not slot.is_closed and ${condition})`;

const listed = (ctx: UserContext) =>
  ctx.db
    .selectFrom('meeting')
    .innerJoin('academic_branch as branch', 'branch.id', 'meeting.branch_id')
    .where(isSeen(ctx))
    .select(['meeting.id', 'meeting.name', 'meeting.day', 'meeting.books_until as booksUntil', 'branch.name as branch'])
    .select([
      sql<(typeof meetingStates)[number]>`meeting.state`.as('state'),
      sql<string>`coalesce(${sectionsOf}, '')`.as('sections'),
      sql<number>`(select count(*)::integer from meeting_host where meeting_id = meeting.id)`.as('teachers'),
      countOf(sql`true`).as('times'),
      countOf(sql`slot.student_id is not null`).as('booked'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

export const { routes: meetingListRoutes } = serveList(meetingList, (ctx) => {
  const today = toLocalDate(ctx.now());
  return {
    query: listed(ctx),
    id: 'meeting.id',
    matches: (word) => sql<boolean>`meeting.name ilike ${contains(word)}`,
    tabs: {
      coming: sql<boolean>`meeting.day >= ${today}::date and meeting.state <> 'Cancelled'`,
      past: sql<boolean>`meeting.day < ${today}::date`,
      all: undefined,
    },
    filters: { branchId: (id) => sql<boolean>`meeting.branch_id = ${Number(id)}` },
    sorts: { day: { by: sql`meeting.day`, as: 'date' } },
    toRows: async (rows: Row[]) => rows,
  };
});

export const readHosts = async ({ db }: Pick<UserContext, 'db'>, meetingId: number): Promise<MeetingHost[]> => {
  const { rows } = await sql<MeetingHost>`
    select host.id, host.staff_id as "staffId", staff.name as teacher, ${isClassTeacher} as "isClassTeacher", ${subjectsOf} as subjects, host.room_id as "roomId",
      ${placeOf} as place, ${timeOfDay(sql`host.starts_at`)} as "from", ${timeOfDay(sql`host.ends_at`)} as "to",
      (select count(*)::integer from meeting_slot slot where slot.host_id = host.id and not slot.is_closed) as times,
      (select count(*)::integer from meeting_slot slot where slot.host_id = host.id and not slot.is_closed
        and slot.student_id is not null) as booked,
      host.is_closed as "isClosed", host.reason
    from meeting_host host join meeting on meeting.id = host.meeting_id join staff on staff.id = host.staff_id
    where host.meeting_id = ${meetingId} order by lower(staff.name), host.id`.execute(db);
  return rows;
};

export const read: Handler<typeof meetingApi.read> = async (ctx, { id }): Promise<Meeting> => {
  const found = await ctx.db
    .selectFrom('meeting')
    .innerJoin('academic_branch as branch', 'branch.id', 'meeting.branch_id')
    .where('meeting.id', '=', id)
    .where(isSeen(ctx))
    .select(['meeting.id', 'meeting.version', 'meeting.name', 'meeting.day', 'branch.name as branch'])
    .select(['minutes', 'gap', 'walk', 'books_until as booksUntil', 'is_apart as isApart', 'reason'])
    .select([
      sql<Meeting['state']>`meeting.state`.as('state'),
      sql<string>`coalesce(${sectionsOf}, '')`.as('sections'),
      sql<boolean>`${isKept(ctx)}`.as('is_kept'),
    ])
    .executeTakeFirstOrThrow(notFound);
  const { is_kept: isReached, ...meeting } = found;
  const isKeeper = isReached && isGranted(meetingKeepers, ctx.user);
  const isOver = meeting.day < toLocalDate(ctx.now());
  const hosts = await readHosts(ctx, id);
  return {
    ...meeting,
    hosts: isKeeper ? hosts : hosts.filter(({ staffId }) => staffId === ctx.user.staffId),
    may: {
      change: isKeeper && meeting.state !== 'Cancelled' && !isOver,
      open: isKeeper && meeting.state === 'Draft' && !isOver,
      cancel: isKeeper && meeting.state !== 'Cancelled' && !isOver,
      print: meeting.state === 'Open',
      book: isKeeper && meeting.state === 'Open' && !isOver,
    },
  };
};

/** A teacher’s times in the user’s meetings; throws `not_found` for those of another teacher. */
export async function readSeenHost(ctx: UserContext, id: number) {
  return ctx.db
    .selectFrom('meeting_host as host')
    .innerJoin('meeting', 'meeting.id', 'host.meeting_id')
    .innerJoin('staff', 'staff.id', 'host.staff_id')
    .where('host.id', '=', id)
    .where(sql<boolean>`(${isKept(ctx)} or host.staff_id = ${ctx.user.staffId} and ${hasTimes(ctx)})`)
    .select(['host.id', 'host.meeting_id', 'staff.name as teacher'])
    .executeTakeFirstOrThrow(notFound);
}

export const readSlots = async ({ db, now }: Pick<UserContext, 'db' | 'now'>, hostIds: readonly number[]) => {
  const { rows } = await sql<MeetingSlot & { hostId: number }>`
    select slot.id, slot.host_id as "hostId", ${timeOfDay(sql`slot.starts_at`)} as "from", ${timeOfDay(sql`slot.ends_at`)} as "to",
      slot.is_closed as "isClosed", slot.starts_at <= ${now()} as "isBegun", slot.student_id as "studentId",
      coalesce(student.name, '') as child,
      coalesce(placed.name, '') as section, coalesce(adult.name, '') as guardian,
      slot.came, slot.note
    from meeting_slot slot
    join meeting_host host on host.id = slot.host_id join meeting on meeting.id = host.meeting_id
    left join student on student.id = slot.student_id
    left join guardian adult on adult.id = slot.guardian_id
    left join lateral student_place(slot.student_id, meeting.day, null::integer) placed on slot.student_id is not null
    where slot.host_id = any(${[...hostIds]}::integer[]) order by slot.host_id, slot.starts_at`.execute(db);
  return rows;
};

export const slots: Handler<typeof meetingApi.slots> = async (ctx, { id }) => {
  const { teacher } = await readSeenHost(ctx, id);
  return { teacher, rows: await readSlots(ctx, [id]) };
};
