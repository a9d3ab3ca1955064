import { toLocalDate } from '#kit/server/day.ts';
import { idOf, toGuardian } from '#testing/addressed.ts';
import type { Examples } from '#testing/examples.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import type { School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';

/** The last message to the father of a child who gets these marks of a register, one after another. */
async function message(school: School, ...marks: string[]) {
  const today = toLocalDate(new Date());
  const day = `'${today}'`;
  const teacher = await school.person();
  await openSection(school, { day });
  await setDay(school, today, 'Working day');
  const section = await teach(school, teacher, { sectionId: await openSection(school, { day }) });
  const child = await seat(school, section, 'Aarav');
  const recipient = '9825000009';
  const adult = await raise(school, [child], { firstName: 'Nikhil', mobile: recipient });
  await school.sql(
    `update student_guardian set receives_messages = true, may_collect = true where guardian_id = ${adult}`,
  );
  for (const mark of marks) {
    await school.sql(`update outbox set status = 'sent' where template = 'attendance.absent'`);
    await takeRegister(teacher, section, '', { Aarav: mark });
  }
  const subjectId = await idOf(
    school,
    `select coalesce(max(id), 0) as id from attendance_message where student_id = ${child}`,
  );
  return {
    subjectId,
    recipient,
    childId: child,
    change: `update guardian set mobile = '9825099999' where id = ${adult}`,
  };
}

/** A message about leave that the father of a child asked for. */
const leaveMessage = (school: School, state: string) =>
  toGuardian(school, ({ studentId, guardianId }) =>
    idOf(
      school,
      `insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted,
        asked_by_guardian_id, noted_at)
      select academic_year_id, student_id, joined_on, joined_on, 'Family', '${state}', 2, 2, ${guardianId}, now()
      from student_enrollment where student_id = ${studentId} returning id`,
    ),
  );

export const examples: Examples = {
  exports: {
    'GET /attendance/leave/export': async ({ school, office, pupil }) => {
      await pupil();
      await school.sql(`insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted,
          noted_by, noted_at)
        select academic_year_id, student_id, joined_on, joined_on, 'Family', 'Granted', 2, 2, (select min(id) from staff), now()
        from student_enrollment where student_id = (select max(student_id) from student_section) on conflict do nothing`);
      return { url: '/attendance/leave/export?as=csv&tab=all', by: office };
    },
    'GET /attendance/month/file': async ({ office, pupil }) => ({
      url: `/attendance/month/file?sectionId=${await pupil()}&month=&as=csv`,
      by: office,
    }),
  },
  messages: {
    'attendance.absent': (school) => message(school, 'A'),
    // Absent, and then late after the family was told.
    'attendance.left': async (school) => {
      const { recipient, change, childId } = await message(school, 'P');
      const subjectId = await idOf(
        school,
        `insert into attendance_exit (academic_year_id, student_id, day, left_at, reason, guardian_id, pass_no, entered_by, entered_at)
        select own.academic_year_id, own.student_id, own.day, '12:10', 'Dentist', link.guardian_id, 'GP/' || own.student_id,
          (select min(id) from staff), now()
        from attendance_mark own join student_guardian link on link.student_id = own.student_id
        where own.student_id = ${childId} returning id`,
      );
      return { subjectId, recipient, change };
    },
    'attendance.leave-asked': (school) => leaveMessage(school, 'Asked'),
    'attendance.leave-granted': (school) => leaveMessage(school, 'Granted'),
    'attendance.leave-rejected': (school) => leaveMessage(school, 'Rejected'),
    'attendance.update': (school) => message(school, 'A', 'L 00:00'),
  },
  rows: ({ sql }) =>
    sql(`insert into attendance_correction (register_id, student_id, old_code_id, new_code_id, reason)
      select register_id, student_id, code_id, code_id, 'Was present' from attendance_mark limit 1;
    insert into attendance_message (academic_year_id, student_id, day, kind)
      select academic_year_id, student_id, day, 'Absent' from attendance_mark limit 1;
    insert into attendance_call (academic_year_id, student_id, day, outcome, called_by, called_at)
      select academic_year_id, student_id, day, 'Called', (select min(id) from staff), now() from attendance_mark limit 1;
    insert into attendance_twice (academic_year_id, grade_id) select academic_year_id, grade_id from attendance_register limit 1;
    insert into attendance_alert (student_id, first_day, days, told_on) select student_id, day, 3, day from attendance_mark limit 1;
    insert into attendance_gate (academic_year_id, student_id, day, arrived_at, entered_by, entered_at)
      select academic_year_id, student_id, day, '09:20', (select min(id) from staff), now() from attendance_mark limit 1
      on conflict do nothing;
    insert into attendance_exit (academic_year_id, student_id, day, left_at, reason, person, relation, pass_no, allowed_by,
        allowed_why, entered_by, entered_at)
      select academic_year_id, student_id, day, '12:10', 'Dentist', 'Suresh Desai', 'Uncle', 'GP/1', (select min(id) from staff),
        'The mother called', (select min(id) from staff), now() from attendance_mark limit 1`),
};
