import { sql } from 'kysely';
import type { ActingContext, Context } from '#kit/server/context.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import type { Slot } from '../contract/register.ts';
import { slotFact } from './slot.ts';

interface Changed {
  studentId: number;
  section: string;
  day: string;
  slot: Slot;
  from: string;
  to: string;
}

/** Gives leaves that are granted to the absent of registers that are not locked yet; returns how many marks changed. */
export const applyLeave = (ctx: ActingContext, ids: readonly number[]) =>
  changeMarks(ctx, ids, {
    from: sql`own.kind = 'Absent'`,
    to: sql`attendance_leave_code(leave.kind, leave.half, register.slot)`,
  });

/**
 * Makes children absent again whose leave is cancelled, in registers that are not locked yet. A child that came for half of
 * the day was there: its mark is the teacher's.
 */
export const takeBackLeave = (ctx: ActingContext, ids: readonly number[]) =>
  changeMarks(ctx, ids, {
    from: sql`own.id = attendance_leave_code(leave.kind, leave.half, register.slot) and own.kind <> 'Half day'`,
    to: sql`(select id from attendance_code where kind = 'Absent' and is_active order by position limit 1)`,
  });

async function changeMarks(
  ctx: ActingContext,
  ids: readonly number[],
  { from, to }: { from: ReturnType<typeof sql>; to: ReturnType<typeof sql> },
): Promise<number> {
  const { rows } = await sql<Changed & { registerId: number; codeId: number }>`
    select mark.register_id as "registerId", mark.student_id as "studentId", register.day::text, register.slot,
      academic_section_name(grade.name, section.name) as section, own.name as from, wanted.name as to, wanted.id as "codeId"
    from attendance_leave leave
    join attendance_mark mark on mark.academic_year_id = leave.academic_year_id and mark.student_id = leave.student_id
      and mark.day between leave.from_day and leave.to_day
    join attendance_register register on register.id = mark.register_id and register.locks_at > school_now()
    join attendance_code own on own.id = mark.code_id
    join attendance_code wanted on wanted.id = ${to} and wanted.id <> own.id
    join academic_section section on section.id = register.section_id
    join academic_grade grade on grade.id = section.grade_id
    where leave.id = any(${[...ids]}) and ${from}
    order by register.id for update of register`.execute(ctx.db);
  if (rows.length === 0) return 0;
  await sql`update attendance_mark mark set code_id = changed."codeId", arrived_at = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as changed ("registerId" integer, "studentId" integer, "codeId" integer)
    where mark.register_id = changed."registerId" and mark.student_id = changed."studentId"`.execute(ctx.db);
  await sql`update attendance_register set version = version + 1
    where id = any(${[...new Set(rows.map(({ registerId }) => registerId))]})`.execute(ctx.db);
  await auditAll(
    ctx,
    rows.map((mark) => ({
      ...(!ctx.user && { actor: 'Parent' }),
      action: 'attendance.mark-changed',
      entity: 'student',
      entityId: mark.studentId,
      details: { section: mark.section, day: mark.day, ...slotFact(mark.slot), from: mark.from, to: mark.to },
    })),
  );
  return rows.length;
}

/** The days of a leave on which the child is absent in a locked register. */
export async function countLocked({ db }: Pick<Context, 'db'>, id: number): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select count(distinct mark.day)::integer as days
    from attendance_leave leave
    join attendance_mark mark on mark.academic_year_id = leave.academic_year_id and mark.student_id = leave.student_id
      and mark.day between leave.from_day and leave.to_day
    join attendance_register register on register.id = mark.register_id and register.locks_at <= school_now()
      and attendance_covers(leave.half, register.slot)
    join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
    where leave.id = ${id}`.execute(db);
  return rows[0]?.days ?? 0;
}
