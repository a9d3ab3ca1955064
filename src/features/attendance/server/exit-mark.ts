import { sql } from 'kysely';
import { withdrawApproval } from '#features/approval/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import { settingValue } from '#kit/server/settings.ts';
import type { MarkOfReturn } from '../contract/exit.ts';
import { askCorrection } from './correction.ts';
import { exitHalvesDay, exitHour } from './settings.ts';

/** Whether the school counts the day of a child who left at a time as half a day. */
const isHalfDay = (leftAt: ReturnType<typeof sql>) =>
  sql<boolean>`(${settingValue(exitHalvesDay)} and ${leftAt} < make_time(${settingValue(exitHour)}, 0, 0))`;

const halfDayCode = sql`(select id from attendance_code where kind = 'Half day' and is_active order by position limit 1)`;

/** The mark with which a register of a slot begins for a child who has left; null for the usual one. */
export const codeAfterExit = (slot: string) => sql<number | null>`case
  when ${slot} = 'Afternoon' then (select id from attendance_code where kind = 'Leave' and is_active order by position limit 1)
  when ${slot} = 'Full day' and ${isHalfDay(sql`exit.left_at`)} then ${halfDayCode} end`;

interface Exit {
  studentId: number;
  academicYearId: number;
  branchId: number;
  section: string;
  day: string;
  leftAt: string;
}

/** The mark before, which a return gives back. */
interface Old {
  codeId: number;
  arrivedAt: string | null;
}

/**
 * Makes the mark of the day half a day, where the child leaves before the hour of the setting; in a locked register another
 * person decides. A grade with two registers a day counts by halves as it is.
 */
export async function markExit(
  ctx: UserContext,
  { studentId, academicYearId, branchId, section, day, leftAt }: Exit,
): Promise<{ mark: 'Same' | 'Half day' | 'Correction requested'; old?: Old; correctionId?: number }> {
  const { rows } = await sql<
    Old & { registerId: number; from: string; to: string; wantedId: number; isLocked: boolean }
  >`
    select register.id as "registerId", mark.code_id as "codeId", mark.arrived_at::text as "arrivedAt", code.name as from,
      wanted.name as to, wanted.id as "wantedId", register.locks_at <= school_now() as "isLocked"
    from attendance_mark mark
    join attendance_register register on register.id = mark.register_id and register.slot = 'Full day'
    join attendance_code code on code.id = mark.code_id and code.kind in ('Present', 'Late')
    join attendance_code wanted on wanted.id = ${halfDayCode}
    where mark.academic_year_id = ${academicYearId} and mark.student_id = ${studentId} and mark.day = ${day}
      and ${isHalfDay(sql`${leftAt}::time`)}
    for update of register`.execute(ctx.db);
  const [found] = rows;
  if (!found) return { mark: 'Same' };
  const { registerId, codeId, arrivedAt, from, to, wantedId } = found;
  if (found.isLocked) {
    const asked = await askCorrection(ctx, {
      ...{ registerId, branchId, studentId, section, day, slot: 'Full day' },
      from: { codeId, name: from, arrivedAt },
      to: { codeId: wantedId, name: to, arrivedAt: null },
      reason: `Left at ${leftAt}`,
    });
    return asked === undefined ? { mark: 'Same' } : { mark: 'Correction requested', correctionId: asked };
  }
  await writeMark(ctx, { registerId, studentId, codeId: wantedId, arrivedAt: null });
  const details = { section, day, from, to };
  await audit(ctx, { action: 'attendance.mark-changed', entity: 'student', entityId: studentId, details });
  return { mark: 'Half day', old: { codeId, arrivedAt } };
}

/** An exit whose child is back. */
interface Return {
  studentId: number;
  academicYearId: number;
  branchId: number;
  section: string;
  day: string;
  returnedAt: string;
  codeId: number | null;
  arrivedAt: string | null;
  correctionId: number | null;
}

/**
 * Takes back what the exit made of the mark: a correction that waits is withdrawn, and half a day becomes the mark before; in a
 * locked register another person decides. What the mark was and is, for the audit row.
 */
export async function unmarkExit(
  ctx: UserContext,
  exit: Return,
): Promise<{ mark: MarkOfReturn; from?: string; to?: string }> {
  const { studentId, academicYearId, branchId, section, day, returnedAt, codeId, arrivedAt, correctionId } = exit;
  if (codeId === null && correctionId === null) return { mark: 'Same' };
  await sql`select from attendance_register where id in (
    select register_id from attendance_mark
    where academic_year_id = ${academicYearId} and student_id = ${studentId} and day = ${day}) order by id for update`.execute(
    ctx.db,
  );
  if (correctionId !== null) {
    const withdrawn = await ctx.db
      .updateTable('attendance_correction')
      .set({ outcome: 'Withdrawn' })
      .where('id', '=', correctionId)
      .where('outcome', 'is', null)
      .executeTakeFirst();
    if (withdrawn.numUpdatedRows > 0n) {
      await withdrawApproval(ctx, { kind: 'attendance.correction', subjectId: correctionId });
      return { mark: 'Correction withdrawn' };
    }
  }
  const { rows } = await sql<
    Old & { registerId: number; halfId: number; halfAt: string | null; from: string; to: string; isLocked: boolean }
  >`
    select register.id as "registerId", mark.code_id as "halfId", to_char(mark.arrived_at, 'HH24:MI') as "halfAt",
      code.name as from, wanted.id as "codeId", to_char(old.arrived_at, 'HH24:MI') as "arrivedAt", wanted.name as to,
      register.locks_at <= school_now() as "isLocked"
    from attendance_mark mark
    join attendance_register register on register.id = mark.register_id and register.slot = 'Full day'
    join attendance_code code on code.id = mark.code_id and code.kind = 'Half day'
    join (select ${codeId}::integer as code_id, ${arrivedAt}::time as arrived_at where ${codeId}::integer is not null
      union all select old_code_id, old_arrived_at from attendance_correction
        where id = ${correctionId}::integer and outcome = 'Approved') as old on true
    join attendance_code wanted on wanted.id = old.code_id
    where mark.academic_year_id = ${academicYearId} and mark.student_id = ${studentId} and mark.day = ${day}`.execute(
    ctx.db,
  );
  const [found] = rows;
  if (!found) return { mark: 'Same' };
  const { registerId, halfId, halfAt, from, to, isLocked, ...old } = found;
  if (isLocked) {
    const asked = await askCorrection(ctx, {
      ...{ registerId, branchId, studentId, section, day, slot: 'Full day' },
      from: { codeId: halfId, name: from, arrivedAt: halfAt },
      to: { name: to, ...old },
      reason: `Back at ${returnedAt}`,
    });
    return { mark: asked === undefined ? 'Same' : 'Correction requested' };
  }
  await writeMark(ctx, { registerId, studentId, ...old });
  return { mark: 'Given back', from, to };
}

interface Mark {
  registerId: number;
  studentId: number;
  codeId: number;
  arrivedAt: string | null;
}

async function writeMark({ db }: UserContext, { registerId, studentId, codeId, arrivedAt }: Mark) {
  await db
    .updateTable('attendance_mark')
    .set({ code_id: codeId, arrived_at: arrivedAt })
    .where('register_id', '=', registerId)
    .where('student_id', '=', studentId)
    .execute();
  await db.updateTable('attendance_register').set({ version: sql`version + 1` }).where('id', '=', registerId).execute();
}
