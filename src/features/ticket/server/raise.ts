import { sql } from 'kysely';
import { yearNames } from '#features/school/api.ts';
import { headOf } from '#features/staff/api.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { dueAt, minuteOf, momentOf } from '../contract/clock.ts';
import type { Priority } from '../contract/masters.ts';
import { type ticketApi, ticketMessages } from '../contract/ticket.ts';
import { requireChoices, requireSeen } from './choices.ts';
import { queueReaders, tell } from './notices.ts';
import { saveFiles } from './talk.ts';
import { readOpenHours, retime } from './times.ts';

/** An active category with its receiver: a person who works here today, or the queue of the department. */
async function readCategory({ db, now }: UserContext, id: number) {
  const { rows } = await sql<{
    id: number;
    name: string;
    departmentId: number;
    department: string;
    assigneeId: number | null;
    assignee: string | null;
    policyVersionId: number | null;
    priority: Priority;
    requiresStudent: boolean;
    requiresPlace: boolean;
    isConfidential: boolean;
    template: string;
  }>`
    select category.id, category.name, department.id as "departmentId", department.name as department,
      staff.id as "assigneeId", staff.name as assignee, category.priority,
      (select made.id from ticket_policy_version made where made.policy_id = coalesce(category.policy_id,
        (select id from ticket_policy where is_default)) order by made.number desc limit 1) as "policyVersionId",
      category.requires_student as "requiresStudent", category.requires_place as "requiresPlace",
      category.is_confidential as "isConfidential", category.template
    from ticket_category category
    join academic_department department on department.id = category.department_id
    left join staff on staff.id = category.assignee_id and exists (select from staff_employment spell
      where spell.staff_id = staff.id and ${toLocalDate(now())}::date between spell.joined_on and coalesce(spell.last_day, 'infinity'))
    where category.id = ${id} and category.is_active`.execute(db);
  const [category] = rows;
  if (!category) throw fieldRefusal('categoryId', inactiveMessage);
  return category;
}

export const estimate: Handler<typeof ticketApi.estimate> = async (ctx, { categoryId, priority }) => {
  const category = await readCategory(ctx, categoryId);
  const wanted = (priority || category.priority) as Priority;
  const target = await ctx.db
    .selectFrom('ticket_policy_target')
    .where('version_id', '=', category.policyVersionId ?? 0)
    .where('priority', '=', wanted)
    .select(['response_minutes', 'resolution_minutes'])
    .executeTakeFirst();
  const now = ctx.now();
  const open = await readOpenHours(ctx, now);
  const after = (minutes: number) => {
    const at = dueAt(open, minuteOf(now), minutes);
    return at === null ? null : momentOf(at).toISOString();
  };
  const { policyVersionId: _, assigneeId, assignee, id, name, departmentId, ...rest } = category;
  return {
    ...rest,
    priority: wanted,
    assignee: assignee ?? '',
    responseDueAt: target && assigneeId !== ctx.user.staffId ? after(target.response_minutes) : null,
    resolutionDueAt: target ? after(target.resolution_minutes) : null,
  };
};

interface Receiver {
  assigneeId: number | null;
  departmentId: number;
  aboutStaffId: number | null;
  isConfidential: boolean;
}

/** A confidential ticket never lies in a queue: it goes to the person of its category, else the head, else a principal. */
async function receiverOf(ctx: UserContext, { assigneeId, departmentId, aboutStaffId, isConfidential }: Receiver) {
  if (!isConfidential) return assigneeId;
  const heads = await headOf(ctx, [departmentId]);
  const { rows: principals } = await sql<{ id: number }>`select staff_id as id from sign_in_account
    where 'principal' = any(sets) and is_active and staff_id is not null order by id`.execute(ctx.db);
  const receiver = [assigneeId, heads.get(departmentId) ?? null, ...principals.map(({ id }) => id)].find(
    (one) => one !== null && one !== aboutStaffId,
  );
  if (receiver === undefined || receiver === null) throw fieldRefusal('isConfidential', ticketMessages.nobody);
  return receiver;
}

/** Raises a ticket: number, owner and due times in one transaction. */
export const raise: Handler<typeof ticketApi.raise> = async (ctx, input) => {
  const { db, user, now } = ctx;
  const { aboutStudentId, aboutStaffId, roomId, place } = input;
  const category = await readCategory(ctx, input.categoryId as number);
  if (category.requiresStudent && aboutStudentId === null)
    throw fieldRefusal('aboutStudentId', ticketMessages.needsStudent);
  if (category.requiresPlace && roomId === null && place === '')
    throw fieldRefusal('roomId', ticketMessages.needsPlace);
  await requireSeen(ctx, aboutStudentId);
  await requireChoices(ctx, { aboutStaffId, roomId });
  const isConfidential = input.isConfidential || category.isConfidential;
  const assigneeId = await receiverOf(ctx, { ...category, aboutStaffId, isConfidential });
  const today = toLocalDate(now());
  const post = await db
    .selectFrom('staff_post')
    .where('staff_id', '=', user.staffId)
    .where(sql<boolean>`${today}::date between effective_from and coalesce(effective_to, 'infinity')`)
    .select('branch_id')
    .executeTakeFirst();
  const at = now();
  const ticket_no = await nextNumber(db, { code: 'ticket' }, await yearNames(ctx));
  const { id } = await db
    .insertInto('ticket')
    .values({
      ticket_no,
      subject: input.subject,
      description: input.description,
      category_id: category.id,
      department_id: category.departmentId,
      branch_id: post?.branch_id ?? null,
      raised_by: user.staffId,
      on_behalf: input.onBehalf,
      source: input.source,
      about_student_id: aboutStudentId,
      about_staff_id: aboutStaffId,
      room_id: roomId,
      place,
      assignee_id: assigneeId,
      priority: input.priority || category.priority,
      policy_version_id: category.policyVersionId,
      is_confidential: isConfidential,
      raised_at: at,
      changed_at: at,
      clock_from: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveFiles(ctx, id, null);
  await retime(ctx, sql<boolean>`ticket.id = ${id}`);
  await audit(ctx, {
    action: 'ticket.raised',
    entity: 'ticket',
    entityId: id,
    version: 1,
    details: { Ticket: ticket_no, Category: category.name },
  });
  const told = { id, ticketNo: ticket_no, category: category.name, version: 1 };
  if (assigneeId !== null) await tell(ctx, 'assigned', told, [assigneeId]);
  else await tell(ctx, 'queued', told, await queueReaders(ctx, category.departmentId));
  return { id, ticketNo: ticket_no };
};
