import { type RawBuilder, sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** True in a query of `ticket` of a department in which the user has a post on the day, or which the user leads. */
export const ofMyDepartment = ({ staffId }: User, day: string) => sql<boolean>`(ticket.department_id in (
  select department_id from staff_post where staff_id = ${staffId}
    and ${day}::date between effective_from and coalesce(effective_to, 'infinity')
  union all select id from academic_department where staff_id = ${staffId}))`;

const isHead = ({ staffId }: User) =>
  sql<boolean>`(ticket.department_id in (select id from academic_department where staff_id = ${staffId}))`;

/** True of the tickets that the user works on as agent or head of their department; a confidential ticket has no agent. */
export const isAgent = (user: User, day: string): RawBuilder<boolean> =>
  sql<boolean>`(not ticket.is_confidential and (${isHead(user)}
    or (${user.sets.includes('ticketAgent')} and ${ofMyDepartment(user, day)})))`;

/**
 * True in a query of `ticket` of those that exist for the user: lists, counts, search, files and cards all have this
 * condition. A confidential ticket exists for its participants, and never for the colleague it is about.
 */
export function isVisible(user: User, day: string): RawBuilder<boolean> {
  const me = user.staffId;
  return sql<boolean>`(ticket.raised_by = ${me}
    or (not (ticket.is_confidential and coalesce(ticket.about_staff_id = ${me}, false)) and (
      ticket.assignee_id = ${me}
      or exists (select from ticket_participant reader where reader.ticket_id = ticket.id and reader.staff_id = ${me})
      or (not ticket.is_confidential and (
        ${inScope(user, [staff('principal')], { branch: sql`ticket.branch_id` })}
        or ${isAgent(user, day)}
        or (ticket.assignee_id is null and ${ofMyDepartment(user, day)})
        or ticket.about_student_id in (select there.student_id from student_on(${day}) there
          where there.section_id = any(${[...user.scope.led]}::integer[])))))))`;
}

/** What the user may do with a ticket, as far as it follows from who they are. */
export interface TicketParty {
  isRaiser: boolean;
  isAssignee: boolean;
  /** As agent or head of the department. */
  isAgent: boolean;
  isOfDepartment: boolean;
  isPrincipal: boolean;
}

export interface LockedTicket extends TicketParty {
  id: number;
  version: number;
  ticketNo: string;
  status: string;
  isConfidential: boolean;
  raisedBy: number;
  assigneeId: number | null;
  assignee: string | null;
  departmentId: number;
  categoryId: number;
  category: string;
  priority: string;
  aboutStaffId: number | null;
  respondedAt: Date | null;
  closedAt: Date | null;
  reopenCount: number;
  resumesOnReply: boolean | null;
}

/** The tickets with these ids that exist for the user, in the order of their ids. */
async function findTickets(ctx: UserContext, ids: readonly number[], locks: boolean): Promise<LockedTicket[]> {
  const { db, user, now } = ctx;
  const day = toLocalDate(now());
  const { rows } = await sql<LockedTicket>`
    select ticket.id, ticket.version, ticket.ticket_no as "ticketNo", ticket.status,
      ticket.is_confidential as "isConfidential", ticket.raised_by as "raisedBy", ticket.assignee_id as "assigneeId",
      (select name from staff where staff.id = ticket.assignee_id) as assignee, ticket.department_id as "departmentId",
      ticket.category_id as "categoryId", (select name from ticket_category where id = ticket.category_id) as category,
      ticket.priority, ticket.about_staff_id as "aboutStaffId", ticket.responded_at as "respondedAt",
      ticket.closed_at as "closedAt", ticket.reopen_count as "reopenCount",
      (select resumes_on_reply from ticket_hold_reason where id = ticket.hold_reason_id) as "resumesOnReply",
      ticket.raised_by = ${user.staffId} as "isRaiser", coalesce(ticket.assignee_id = ${user.staffId}, false) as "isAssignee",
      ${isAgent(user, day)} as "isAgent", ${ofMyDepartment(user, day)} as "isOfDepartment",
      ${inScope(user, [staff('principal')], { branch: sql`ticket.branch_id` })} as "isPrincipal"
    from ticket where ticket.id = any(${[...ids]}::integer[]) and ${isVisible(user, day)}
    order by ticket.id ${locks ? sql`for update of ticket` : sql``}`.execute(db);
  return rows;
}

export const lockTickets = (ctx: UserContext, ids: readonly number[]) => findTickets(ctx, ids, true);

/** Throws `not_found` for a ticket that does not exist for the user. */
export async function seeTicket(ctx: UserContext, id: number): Promise<LockedTicket> {
  const [ticket] = await findTickets(ctx, [id], false);
  if (!ticket) throw new AppError('not_found', notFoundMessage);
  return ticket;
}

/** As `seeTicket`, locked for an act. */
export async function lockTicket(ctx: UserContext, id: number): Promise<LockedTicket> {
  const [ticket] = await lockTickets(ctx, [id]);
  if (!ticket) throw new AppError('not_found', notFoundMessage);
  return ticket;
}
