import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { studentReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { familyReaders } from '#features/student/contract/record.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readReferredFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { readHistory } from '#kit/server/security/history.ts';
import { minuteOf, worked } from '../contract/clock.ts';
import type { Priority } from '../contract/masters.ts';
import type { behalves, sources, TicketState } from '../contract/state.ts';
import type { ticketApi } from '../contract/ticket.ts';
import { mayChangeConfidential, mayReopen } from './end.ts';
import { categoryName, chipOf, minutesLeft, placeName, sectionOf } from './row.ts';
import { mayNote } from './talk.ts';
import { readOpenHours, readTimed, spansOf } from './times.ts';
import { isVisible, type LockedTicket, seeTicket } from './visible.ts';
import { mayAccept, mayTransfer, mayWork } from './work.ts';

interface Row {
  subject: string;
  description: string;
  status: TicketState;
  priority: Priority;
  category: string;
  department: string;
  assignee: { id: number; name: string } | null;
  raisedBy: { id: number; name: string };
  onBehalf: (typeof behalves)[number];
  source: (typeof sources)[number];
  student: z.output<typeof ticketApi.read.output>['student'];
  colleague: { id: number; name: string } | null;
  place: string;
  raisedAt: Date;
  responseDueAt: Date | null;
  respondedAt: Date | null;
  clockFrom: Date;
  resolutionDueAt: Date | null;
  resolvedAt: Date | null;
  closesAt: Date | null;
  closedAt: Date | null;
  hold: { reason: string; note: string; since: string } | null;
  resolution: string;
  cancelReason: string;
  reopenCount: number;
  rating: number | null;
  participants: string[];
}

const person = (column: ReturnType<typeof sql>) =>
  sql`(select json_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = ${column})`;

async function readRow({ db, user, now }: UserContext, id: number): Promise<Row> {
  const day = toLocalDate(now());
  const reaches = (access: Access) => sql<boolean>`exists (select from student_place(student.id, ${day}::date) place
    where ${inScope(user, access, { branch: sql`place.branch_id`, section: sql`place.held_section_id` })})`;
  const { rows } = await sql<Row>`
    select ticket.subject, ticket.description, ticket.status, ticket.priority, ${categoryName} as category,
      department.name as department, ${person(sql`ticket.assignee_id`)} as assignee,
      ${person(sql`ticket.raised_by`)} as "raisedBy", ticket.on_behalf as "onBehalf", ticket.source,
      (select json_build_object('id', student.id, 'name', student.name, 'section', ${sectionOf(day)}, 'isOpenable',
          ${reaches(studentReaders)},
          'contact', (select json_build_object('name', adult.name, 'relation', relation.name, 'mobile', adult.mobile)
            from student_guardian link join guardian adult on adult.id = link.guardian_id
            join academic_lookup relation on relation.id = link.relation_id
            where link.student_id = student.id and link.is_primary and not link.is_barred and not adult.is_deceased
              and ${reaches(familyReaders)}))
        from student where student.id = ticket.about_student_id) as student,
      ${person(sql`ticket.about_staff_id`)} as colleague, ${placeName} as place, ticket.raised_at as "raisedAt",
      ticket.response_due_at as "responseDueAt", ticket.responded_at as "respondedAt", ticket.clock_from as "clockFrom",
      ticket.resolution_due_at as "resolutionDueAt", ticket.resolved_at as "resolvedAt", ticket.closes_at as "closesAt",
      ticket.closed_at as "closedAt", ticket.resolution, ticket.cancel_reason as "cancelReason",
      ticket.reopen_count as "reopenCount", ticket.rating,
      (select json_build_object('reason', reason.name, 'note', pause.note, 'since', pause.from_at) from ticket_pause pause
        join ticket_hold_reason reason on reason.id = pause.reason_id
        where pause.ticket_id = ticket.id and pause.to_at is null) as hold,
      array(select staff.name from ticket_participant reader join staff on staff.id = reader.staff_id
        where reader.ticket_id = ticket.id order by staff.name) as participants
    from ticket join academic_department department on department.id = ticket.department_id
    where ticket.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new AppError('not_found', notFoundMessage);
  return row;
}

interface Said {
  key: string;
  kind: 'Public' | 'Internal' | 'Transfer';
  at: string;
  by: string;
  isOwn: boolean;
  body: string;
  to: string;
  files: { id: string; name: string }[];
}

/** What was said and who got the ticket; internal notes for those who may write them. */
async function readTalk({ db, user }: UserContext, id: number, seesNotes: boolean): Promise<Said[]> {
  const { rows } = await sql<Said>`
    select * from (select 'comment ' || lpad(said.id::text, 10, '0') as key, said.kind, said.at, staff.name as by, said.staff_id = ${user.staffId} as "isOwn",
      said.body, '' as to, coalesce((select json_agg(json_build_object('id', file.id, 'name', file.name) order by file.stored_at)
        from ticket_file own join file on file.id = own.file_id where own.comment_id = said.id), '[]'::json) as files
    from ticket_comment said join staff on staff.id = said.staff_id
    where said.ticket_id = ${id} and (${seesNotes} or said.kind = 'Public')
    union all
    select 'transfer ' || lpad(moved.id::text, 10, '0'), 'Transfer', moved.at, coalesce(staff.name, 'Shala'), moved.by_staff_id = ${user.staffId},
      moved.reason, coalesce(receiver.name, department.name), '[]'::json
    from ticket_assignment moved left join staff on staff.id = moved.by_staff_id
    left join staff receiver on receiver.id = moved.to_staff_id
    left join academic_department department on department.id = moved.to_department_id
    where moved.ticket_id = ${id}) as talk
    order by at, kind = 'Transfer' desc, key`.execute(db);
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString(), isOwn: row.isOwn === true }));
}

const mostOthers = 5;

/** Other tickets about the same child, as far as they exist for the reader. */
async function readOthers({ db, user, now }: UserContext, id: number, student: Row['student']) {
  if (!student) return [];
  const { rows } = await sql<{ id: number; ticketNo: string; subject: string; status: TicketState }>`
    select ticket.id, ticket.ticket_no as "ticketNo", ticket.subject, ticket.status from ticket
    where ticket.about_student_id = ${student.id} and ticket.id <> ${id} and ${isVisible(user, toLocalDate(now()))}
    order by ticket.status in ('Resolved', 'Closed', 'Cancelled'), ticket.id desc limit ${mostOthers}`.execute(db);
  return rows;
}

function abilitiesOf(ticket: LockedTicket, now: Date) {
  const works = mayWork(ticket);
  const isOver = ticket.status === 'Closed' || ticket.status === 'Cancelled';
  return {
    reply: !isOver,
    note: !isOver && mayNote(ticket),
    accept: mayAccept(ticket),
    hold: works && ticket.status !== 'On hold',
    resume: works && ticket.status === 'On hold',
    resolve: works,
    priority: works,
    transfer: mayTransfer(ticket),
    confirm: ticket.isRaiser && ticket.status === 'Resolved',
    reopen: mayReopen(ticket, now),
    cancel: ticket.isRaiser && ticket.status === 'Open',
    confidential: !isOver && mayChangeConfidential(ticket),
  };
}

const read: Handler<typeof ticketApi.read> = async (ctx, { id }) => {
  const now = ctx.now();
  const ticket = await seeTicket(ctx, id);
  const { clockFrom, hold, ...row } = await readRow(ctx, id);
  const [timed] = await readTimed(ctx, sql<boolean>`ticket.id = ${id}`);
  const open = await readOpenHours(ctx, row.raisedAt, now);
  const talk = await readTalk(ctx, id, mayNote(ticket));
  const { rows: files } = await sql<{ id: string; name: string }>`select file.id, file.name from ticket_file own
    join file on file.id = own.file_id where own.ticket_id = ${id} and own.comment_id is null
    order by file.stored_at, file.id`.execute(ctx.db);
  const until = row.resolvedAt ?? now;
  const pauses = timed ? spansOf(timed) : [];
  const used = worked(open, minuteOf(clockFrom), minuteOf(until), pauses);
  const total = timed?.resolutionMinutes ?? null;
  const moments = {
    raisedAt: row.raisedAt.toISOString(),
    responseDueAt: row.responseDueAt?.toISOString() ?? null,
    respondedAt: row.respondedAt?.toISOString() ?? null,
    resolutionDueAt: row.resolutionDueAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    closesAt: row.closesAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
  };
  return {
    ...row,
    ...moments,
    id,
    version: ticket.version,
    ticketNo: ticket.ticketNo,
    may: abilitiesOf(ticket, now),
    isMine: ticket.isRaiser,
    isConfidential: ticket.isConfidential,
    chip: chipOf(row, now),
    minutesLeft:
      total === null || row.resolvedAt !== null
        ? null
        : row.resolutionDueAt
          ? minutesLeft(open, row.resolutionDueAt, now)
          : total - used,
    pausedMinutes: worked(open, minuteOf(clockFrom), minuteOf(until)) - used,
    hold: hold && { ...hold, since: new Date(hold.since).toISOString() },
    files,
    talk,
    others: await readOthers(ctx, id, row.student),
  };
};

const history: Handler<typeof ticketApi.history> = async (ctx, { id, before }) => {
  await seeTicket(ctx, id);
  return readHistory(ctx, 'ticket', { id, before });
};

/** A file of the ticket, or of a comment that the user reads. */
const file: Handler<typeof ticketApi.file> = async (ctx, { id, file: fileId }) => {
  const ticket = await seeTicket(ctx, id);
  const { rows } = await sql`select from ticket_file own left join ticket_comment said on said.id = own.comment_id
    where own.file_id = ${fileId}::uuid and own.ticket_id = ${id}
      and (said.kind is null or said.kind = 'Public' or ${mayNote(ticket)})`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
  return readReferredFile(ctx, fileId);
};

export const readHandlers = { read, history, file };
