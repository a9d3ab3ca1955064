import { sql } from 'kysely';
import { headOf } from '#features/staff/api.ts';
import type { Context } from '#kit/server/context.ts';
import type { MinuteTask } from '#kit/server/job/every-minute.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type NoticeWord, queueReaders, tellMany } from './notices.ts';
import { readRules, retime } from './times.ts';

/** The most tickets of one minute; the rest follows in the next one. */
const most = 500;

interface Late {
  id: number;
  ticketNo: string;
  category: string;
  version: number;
  round: number;
  assigneeId: number | null;
  departmentId: number;
  branchId: number | null;
  aboutStaffId: number | null;
  isConfidential: boolean;
  isUnanswered: boolean;
  isWarned: boolean;
  isDue: boolean;
  isOverdue: boolean;
  levels: number[];
}

const words: Readonly<Record<number, NoticeWord>> = { 0: 'unanswered', 1: 'soon', 2: 'overdue', 3: 'late' };

/** The principals with the branches that their accounts reach; none for all. */
async function readPrincipals({ db }: Context) {
  const { rows } = await sql<{ id: number; branches: number[] }>`
    select account.staff_id as id, array(select branch_id from sign_in_account_branch own where own.account_id = account.id) as branches
    from sign_in_account account
    where account.is_active and account.is_staff and 'principal' = any(account.sets) and account.staff_id is not null
    order by account.id`.execute(db);
  return (branchId: number | null) =>
    rows
      .filter(({ branches }) => branches.length === 0 || (branchId !== null && branches.includes(branchId)))
      .map(({ id }) => id);
}

/** Tells of tickets whose time is nearly or wholly used: each level once in each round, and each person of the highest one only. */
async function escalate(ctx: Context) {
  const { db, now } = ctx;
  const minute = sql`date_trunc('minute', ${now()}::timestamptz)`;
  const { rows } = await sql<Late>`
    select ticket.id, ticket_no as "ticketNo", category.name as category, ticket.version, reopen_count as round,
      ticket.assignee_id as "assigneeId", ticket.department_id as "departmentId", ticket.branch_id as "branchId",
      ticket.about_staff_id as "aboutStaffId", ticket.is_confidential as "isConfidential",
      responded_at is null and coalesce(response_due_at < ${minute}, false) as "isUnanswered",
      coalesce(warn_at < ${minute}, false) as "isWarned", coalesce(resolution_due_at < ${minute}, false) as "isDue",
      coalesce(overdue_at < ${minute}, false) as "isOverdue",
      array(select level::integer from ticket_escalation where ticket_id = ticket.id and round = ticket.reopen_count) as levels
    from ticket join ticket_category category on category.id = ticket.category_id
    where next_check_at < ${minute} order by ticket.id limit ${most} for update of ticket skip locked`.execute(db);
  if (rows.length === 0) return;
  const { isDueActive } = await readRules(ctx);
  const heads = await headOf(
    ctx,
    rows.map(({ departmentId }) => departmentId),
  );
  const principalsOf = await readPrincipals(ctx);
  const queues = new Map<number, number[]>();
  for (const departmentId of new Set(rows.flatMap((row) => (row.assigneeId === null ? [row.departmentId] : []))))
    queues.set(departmentId, await queueReaders(ctx, departmentId));
  const steps = rows.flatMap((row) => {
    const { assigneeId, departmentId, branchId, aboutStaffId } = row;
    const head = heads.get(departmentId);
    const principals = principalsOf(branchId);
    const owners = assigneeId === null ? (row.isConfidential ? [] : (queues.get(departmentId) ?? [])) : [assigneeId];
    const reached = [
      { level: 3, isReached: row.isOverdue, to: principals },
      { level: 2, isReached: row.isDue && isDueActive, to: head === undefined ? principals : [head] },
      { level: 1, isReached: row.isWarned, to: owners },
      { level: 0, isReached: row.isUnanswered, to: head === undefined ? owners : [...owners, head] },
    ].filter(({ level, isReached }) => isReached && !row.levels.includes(level));
    const told = new Set<number>(aboutStaffId === null ? [] : [aboutStaffId]);
    return reached.map(({ level, to }) => {
      const staffIds = [...new Set(to)].filter((one) => !told.has(one));
      for (const one of staffIds) told.add(one);
      return { row, level, staffIds };
    });
  });
  await sql`insert into ticket_escalation (ticket_id, round, level, at)
    select id, round, level, ${now()} from jsonb_to_recordset(${JSON.stringify(
      steps.map(({ row: { id, round }, level }) => ({ id, round, level })),
    )}::jsonb) as step (id integer, round smallint, level smallint) on conflict do nothing`.execute(db);
  const readers = steps.flatMap(({ row, level, staffIds }) =>
    row.isConfidential && level >= 2 ? staffIds.map((staffId) => ({ id: row.id, staffId })) : [],
  );
  await sql`insert into ticket_participant (ticket_id, staff_id, since)
    select id, "staffId", ${now()} from jsonb_to_recordset(${JSON.stringify(readers)}::jsonb) as reader (id integer, "staffId" integer)
    on conflict do nothing`.execute(db);
  await auditAll(
    ctx,
    steps.map(({ row: { id, version }, level }) => ({
      actor: 'System',
      action: 'ticket.escalated',
      entity: 'ticket',
      entityId: id,
      version,
      details: { Level: level },
    })),
  );
  await tellMany(
    ctx,
    steps.map(({ row, level, staffIds }) => ({ ...row, word: words[level] ?? 'late', staffIds, turn: `${row.round}` })),
  );
  await retime(ctx, sql<boolean>`ticket.id = any(${rows.map(({ id }) => id)}::integer[])`);
}

/** Closes tickets that were resolved three working days ago. */
async function closeResolved(ctx: Context) {
  const { db, now } = ctx;
  const { rows } = await sql<{ id: number; version: number }>`
    update ticket set status = 'Closed', closed_at = ${now()}, closes_at = null, changed_at = ${now()}, version = version + 1
    where id in (select id from ticket where status = 'Resolved' and closes_at <= ${now()} order by id limit ${most} for update skip locked)
    returning id, version`.execute(db);
  await auditAll(
    ctx,
    rows.map(({ id, version }) => ({
      actor: 'System',
      action: 'ticket.closed',
      entity: 'ticket',
      entityId: id,
      version,
      details: { Status: 'Resolved → Closed' },
    })),
  );
}

export const ticketMinutes: readonly MinuteTask[] = [
  { name: 'ticket.escalate', act: escalate },
  { name: 'ticket.close', act: closeResolved },
];
