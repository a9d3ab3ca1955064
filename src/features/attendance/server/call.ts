import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { isOpenOn } from '#features/sign-in/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notifyEach } from '#kit/server/messages/notifications.ts';
import { audit } from '#kit/server/security/audit.ts';
import { dailyAccess, type dailyApi } from '../contract/daily.ts';
import type { Slot } from '../contract/register.ts';
import { lastDue, registerAddress } from './slot.ts';

const isSeen = (user: UserContext['user']) => inScope(user, dailyAccess, { branch: sql`section.branch_id` });

/** Notes how a call to the family of an absent child ended. */
export const noteCall: Handler<typeof dailyApi.call> = async (ctx, { studentId, day, outcome, note }) => {
  const { rows } = await sql<{ id: number }>`
    insert into attendance_call (academic_year_id, student_id, day, outcome, note, called_by, called_at)
    select mark.academic_year_id, mark.student_id, mark.day, ${outcome}, ${note}, ${ctx.user.staffId}::integer, ${ctx.now()}
    from academic_year year
    join attendance_mark mark on mark.academic_year_id = year.id and mark.day = ${day} and mark.student_id = ${studentId}
    join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
    join attendance_register register on register.id = mark.register_id
    join academic_section section on section.id = register.section_id
    where ${day}::date between year.starts_on and year.ends_on and ${isSeen(ctx.user)}
    order by mark.half limit 1 returning id`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
  const details = { day, outcome, ...(note && { note }) };
  await audit(ctx, { action: 'attendance.called', entity: 'student', entityId: studentId, details });
  return {};
};

interface Waiting {
  sectionId: number;
  section: string;
  slot: Slot;
  accountId: number | null;
}

const notTaken = (section: string, slot: Slot) =>
  slot === 'Full day'
    ? text`The register of ${{ section }} is not taken yet.`
    : slot === 'Morning'
      ? text`The morning register of ${{ section }} is not taken yet.`
      : text`The afternoon register of ${{ section }} is not taken yet.`;

/** Reminds the class teachers whose register has not been taken today. */
export const remind: Handler<typeof dailyApi.remind> = async (ctx) => {
  const day = toLocalDate(ctx.now());
  const { rows } = await sql<Waiting>`
    select section.id as "sectionId", academic_section_name(grade.name, section.name) as section, slots.slot, account.id as "accountId"
    from academic_year year
    join academic_section section on section.academic_year_id = year.id and section.is_active
    join academic_grade grade on grade.id = section.grade_id
    join academic_school_days(year.id, ${day}, ${day}) as today on today.grade_id = section.grade_id and today.work > 0
    join attendance_slots(section.id, ${day}, today.work) as slots on slots.half <= ${lastDue(ctx.now(), day, day)}
    left join academic_section_teacher own on own.section_id = section.id and own.subject_id is null
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
    left join sign_in_account account on account.staff_id = own.staff_id and ${isOpenOn(day)}
    where ${day}::date between year.starts_on and year.ends_on and ${isSeen(ctx.user)}
      and not exists (select from attendance_register register
        where register.section_id = section.id and register.day = ${day} and register.half = slots.half)
      and exists (select from student_on(${day}) as there where there.section_id = section.id)
    order by section.id, slots.half, account.id`.execute(ctx.db);
  const told = rows.flatMap((row) => (row.accountId === null ? [] : [{ ...row, accountId: row.accountId }]));
  await notifyEach(
    ctx,
    told.map(({ accountId, sectionId, section, slot }) => ({
      accountId,
      kind: 'attendance.not-taken',
      text: notTaken(section, slot),
      path: `/school-erp/${registerAddress(sectionId, slot)}`,
      key: `attendance.not-taken ${sectionId} ${day}${slot === 'Full day' ? '' : ` ${slot}`}`,
    })),
  );
  const sections = new Set(rows.map(({ sectionId }) => sectionId)).size;
  const teachers = new Set(told.map(({ accountId }) => accountId)).size;
  await audit(ctx, {
    action: 'attendance.reminded',
    entity: 'attendance_register',
    entityId: 0,
    details: { day, sections, teachers },
  });
  const reached = new Set(told.map(({ sectionId }) => sectionId));
  const missed = new Map(rows.map(({ sectionId, section }) => [sectionId, section]));
  for (const sectionId of reached) missed.delete(sectionId);
  return { sections, teachers, missed: [...missed.values()] };
};
