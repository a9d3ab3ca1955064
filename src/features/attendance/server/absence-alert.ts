import { sql } from 'kysely';
import { isOpenOn } from '#features/sign-in/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { notifyEach } from '#kit/server/messages/notifications.ts';
import { settingValue } from '#kit/server/settings.ts';
import { alertDays } from './settings.ts';

interface Alert {
  accountId: number;
  sectionId: number;
  section: string;
  children: number;
  days: number;
}

/**
 * Tells class teachers of children who have been absent for so many days in a row, and again after as many more. Leave and
 * days without a register neither count nor end it. A register that is taken late is seen on the next day.
 */
async function tellOfAbsences(ctx: Context, day: string): Promise<void> {
  const days = settingValue(alertDays);
  const { rows } = await sql<Alert>`
    with recent as materialized (
      select distinct mark.academic_year_id, mark.student_id
      from academic_year year
      join attendance_mark mark on mark.academic_year_id = year.id and mark.day between ${addDays(day, -7)} and ${day}
      join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
      where ${day}::date between year.starts_on and year.ends_on),
    -- The last day at school, once for each child and from the end: as a join it was looked up for each mark of the year.
    last as materialized (
      select recent.academic_year_id, recent.student_id, coalesce(there.day, '-infinity') as day
      from recent
      left join lateral (
        select seen.day from attendance_mark seen
        join attendance_code code on code.id = seen.code_id and code.kind not in ('Absent', 'Leave')
        where seen.academic_year_id = recent.academic_year_id and seen.student_id = recent.student_id and seen.day <= ${day}
        order by seen.day desc limit 1) as there on true),
    absence as materialized (
      select last.student_id, min(away.day) as first_day, count(distinct away.day) / ${days} * ${days} as days
      from last
      cross join lateral (
        select mark.day from attendance_mark mark
        join attendance_code code on code.id = mark.code_id and code.kind = 'Absent'
        where mark.academic_year_id = last.academic_year_id and mark.student_id = last.student_id
          and mark.day > last.day and mark.day <= ${day} offset 0) as away
      group by last.student_id having count(distinct away.day) >= ${days}),
    fresh as (
      insert into attendance_alert (student_id, first_day, days, told_on)
      select absence.student_id, absence.first_day, absence.days, ${day}::date from absence
      join student_on(${day}) as there on there.student_id = absence.student_id
      on conflict do nothing returning student_id, days)
    select account.id as "accountId", section.id as "sectionId", academic_section_name(grade.name, section.name) as section,
      count(*)::integer as children, min(fresh.days)::integer as days
    from fresh
    join student_on(${day}) as there on there.student_id = fresh.student_id
    join academic_section section on section.id = there.section_id
    join academic_grade grade on grade.id = section.grade_id
    join academic_section_teacher own on own.section_id = section.id and own.subject_id is null
      and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
    join sign_in_account account on account.staff_id = own.staff_id and ${isOpenOn(day)}
    group by account.id, section.id, grade.name, section.name
    order by account.id, section.id`.execute(ctx.db);
  await notifyEach(
    ctx,
    rows.map(({ accountId, sectionId, section, children, days }) => ({
      accountId,
      kind: 'attendance.absent-days',
      text: text(
        {
          message:
            '{children, plural, one {# student} other {# students}} of {section} absent for {days} days in a row or more.',
        },
        { children, section, days },
      ),
      path: `/school-erp/attendance/student-attendance?section=${sectionId}`,
      key: `attendance.absent-days ${sectionId}`,
    })),
  );
}

export const dailyAbsenceAlert: DailyTask = {
  name: 'attendance.absent-days',
  from: 12,
  until: 20,
  act: (ctx) => tellOfAbsences(ctx, toLocalDate(ctx.now())),
};
