import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { settingValue } from '#kit/server/settings.ts';
import { setState } from './leave.ts';
import { showDays } from './leave-days.ts';
import { applyLeave } from './leave-marks.ts';
import { teacherLeaveDays } from './settings.ts';
import { tellOfDecision } from './tell-leave.ts';

async function describeSome({ db, now }: UserContext, ids: readonly number[]) {
  const { rows } = await sql<{
    id: number;
    version: number;
    section: string;
    fromDay: string;
    toDay: string;
    half: string;
    kind: string;
    halves: number;
    counted: number;
    open: number;
    locked: number;
  }>`
    select leave.id, leave.version, leave.from_day::text as "fromDay", leave.to_day::text as "toDay", leave.half, leave.kind,
      leave.halves, leave.counted, coalesce((select name from student_place(leave.student_id, ${toLocalDate(now())}::date,
        leave.academic_year_id)), '') as section,
      marks.open, marks.locked
    from attendance_leave leave
    cross join lateral (
      select count(*) filter (where register.locks_at > school_now())::integer as open,
        count(distinct mark.day) filter (where register.locks_at <= school_now())::integer as locked
      from attendance_mark mark
      join attendance_register register on register.id = mark.register_id and attendance_covers(leave.half, register.slot)
      join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
      where mark.academic_year_id = leave.academic_year_id and mark.student_id = leave.student_id
        and mark.day between leave.from_day and leave.to_day) as marks
    where leave.id = any(${[...ids]})`.execute(db);
  return rows;
}

function effectOf({ open, locked }: Record<'open' | 'locked', number>): Text[] {
  return [
    text`Registers that are not taken yet show the leave.`,
    ...(open > 0
      ? [text({ message: '{open, plural, one {# absent mark changes.} other {# absent marks change.}}' }, { open })]
      : []),
    ...(locked > 0
      ? [
          text(
            {
              message:
                '{locked, plural, one {# day is locked and needs a correction.} other {# days are locked and need a correction.}}',
            },
            { locked },
          ),
        ]
      : []),
  ];
}

/** Leave of children: up to a number of days their class teachers decide, beyond it the principal. */
export const leaveApproval: ApprovalKind = {
  kind: 'attendance.leave',
  subject: 'attendance_leave_id',
  title: text`Leave of a student`,
  notice: text`Leave of a student is waiting for your approval.`,
  sets: ['classTeacher', 'principal'],
  isOfYear: (yearId, subjectId) =>
    sql<boolean>`exists (select from attendance_leave leave where leave.id = ${subjectId}
      and leave.academic_year_id = ${yearId})`,
  mayDecide: ({ user, now }, subjectId) => sql<boolean>`(
    ${inScope(user, [staff('principal')], { branch: sql`approval.branch_id` })}
    or exists (select from attendance_leave leave
      join student_on(${toLocalDate(now())}::date) there on there.student_id = leave.student_id
      where leave.id = ${subjectId} and there.section_id = any(${user.scope.led}::integer[])
        and leave.counted <= 2 * ${settingValue(teacherLeaveDays)}))`,
  describe: async (ctx, ids) =>
    new Map(
      (await describeSome(ctx, ids)).map((leave) => [
        leave.id,
        {
          facts: [
            { label: text`Section`, value: verbatim(leave.section) },
            { label: text`Kind`, value: { id: leave.kind } },
            { label: text`First day`, value: verbatim(showDate(leave.fromDay)) },
            { label: text`Last day`, value: verbatim(showDate(leave.toDay)) },
            { label: text`School days`, value: verbatim(showDays(leave.halves)) },
            ...(leave.half === 'Whole day' ? [] : [{ label: text`Part of the day`, value: { id: leave.half } }]),
            ...(leave.counted > leave.halves
              ? [{ label: text`With the leave beside it`, value: verbatim(showDays(leave.counted)) }]
              : []),
          ],
          effect: effectOf(leave),
          to: '',
          basis: [leave.version, leave.open, leave.locked],
        },
      ]),
    ),
  lock: async ({ db }, ids) => {
    await sql`select from academic_year where id in (select academic_year_id from attendance_leave where id = any(${[...ids]}))
      order by id for share`.execute(db);
    await sql`select from attendance_leave where id = any(${[...ids]}) order by id for update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const state = outcome === 'Approved' ? 'Granted' : outcome === 'Rejected' ? 'Rejected' : 'Cancelled';
    await setState(ctx, ids, state);
    if (state === 'Granted') await applyLeave(ctx, ids);
    if (state === 'Cancelled') return;
    const ofFamilies = await ctx.db
      .selectFrom('attendance_leave')
      .where('id', 'in', ids)
      .where('asked_by_guardian_id', 'is not', null)
      .select(['id', 'student_id as studentId', sql<number>`guardian_now(asked_by_guardian_id)`.as('guardianId')])
      .orderBy('id')
      .execute();
    await tellOfDecision(ctx, ofFamilies, state);
  },
};
