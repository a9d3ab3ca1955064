import { sql } from 'kysely';
import { studentReaders } from '#access/contract/grants.ts';
import { text } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';
import { leavingReaders } from '../contract/leaving.ts';
import { timelineReaders } from '../contract/record.ts';

/** A student joins and leaves; in even and odd ids of the enrolment. */
const enrolments: EventSource = {
  record: 'student',
  kind: 'enrolment',
  title: text`Enrolment`,
  access: studentReaders,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; hasLeft: boolean; grade: string; year: string }>`
      select day::text, id, "hasLeft", grade, year from (
        select enrollment.joined_on as day, enrollment.id * 2 as id, false as "hasLeft", grade.name as grade, year.name as year
        from student_enrollment enrollment join academic_grade grade on grade.id = enrollment.grade_id
        join academic_year year on year.id = enrollment.academic_year_id
        where enrollment.student_id = ${id} and enrollment.status <> 'Cancelled'
        union all
        select enrollment.left_on, enrollment.id * 2 + 1, true, grade.name, year.name
        from student_enrollment enrollment join academic_grade grade on grade.id = enrollment.grade_id
        join academic_year year on year.id = enrollment.academic_year_id
        where enrollment.student_id = ${id} and enrollment.status <> 'Cancelled' and enrollment.left_on < year.ends_on) as event
      where day between ${from}::date and ${to}::date and ${isAfter(sql`day`, sql`id`)}
      order by event.day desc, id desc limit ${most}`.execute(db);
    return rows.map(({ hasLeft, grade, year, ...row }) => ({
      ...row,
      what: hasLeft ? text`Last day in ${{ grade }}` : text`Joined ${{ grade }}`,
      detail: year,
    }));
  },
};

const sections: EventSource = {
  record: 'student',
  kind: 'section',
  title: text`Section`,
  access: studentReaders,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; section: string; reason: string }>`
      select own.effective_from::text as day, own.id, own.reason, academic_section_name(grade.name, section.name) as section
      from student_section own join academic_section section on section.id = own.section_id
      join academic_grade grade on grade.id = section.grade_id
      where own.student_id = ${id} and own.effective_from between ${from}::date and ${to}::date
        and ${isAfter(sql`own.effective_from`, sql`own.id`)}
      order by own.effective_from desc, own.id desc limit ${most}`.execute(db);
    return rows.map(({ section, reason, ...row }) => ({
      ...row,
      what: text`Assigned to ${{ section }}`,
      detail: reason,
    }));
  },
};

const certificates: EventSource = {
  record: 'student',
  kind: 'certificate',
  title: text`Certificates`,
  access: leavingReaders,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; number: string; isLeaving: boolean; isVoid: boolean }>`
      select issued_on::text as day, id, number, kind = 'Leaving' as "isLeaving", voided_at is not null as "isVoid"
      from student_certificate
      where student_id = ${id} and issued_on between ${from}::date and ${to}::date
        and ${isAfter(sql`issued_on`, sql`id`)}
      order by issued_on desc, id desc limit ${most}`.execute(db);
    return rows.map(({ number, isLeaving, isVoid, ...row }) => ({
      ...row,
      what: isVoid
        ? text`Certificate ${{ number }}, void`
        : isLeaving
          ? text`Leaving certificate ${{ number }}`
          : text`Bonafide certificate ${{ number }}`,
      to: `student/student-list/${id}?part=papers`,
    }));
  },
};

/** The result of a year that was corrected after the turn, on the day on which it was. */
const correctedResults: EventSource = {
  record: 'student',
  kind: 'result',
  title: text`Corrected results`,
  access: timelineReaders,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const day = sql`(own.applied_at at time zone 'Asia/Kolkata')::date`;
    const { rows } = await sql<{
      day: string;
      id: number;
      result: 'Promoted' | 'Detained';
      isConfirmed: boolean;
      year: string;
      reason: string;
    }>`
      select ${day}::text as day, own.id, own.to_status as result,
        own.to_status = own.from_status as "isConfirmed", year.name as year, own.reason
      from student_result_change own join student_enrollment enrollment on enrollment.id = own.enrollment_id
      join academic_year year on year.id = enrollment.academic_year_id
      where enrollment.student_id = ${id} and own.applied_at is not null
        and ${day} between ${from}::date and ${to}::date and ${isAfter(day, sql`own.id`)}
      order by ${day} desc, own.id desc limit ${most}`.execute(db);
    return rows.map(({ result, isConfirmed, year, reason, ...row }) => ({
      ...row,
      what: isConfirmed
        ? text`Result of ${{ year }} confirmed after a re-test: ${{ result: { id: result } }}`
        : text`Result of ${{ year }} corrected: ${{ result: { id: result } }}`,
      detail: reason,
    }));
  },
};

export const studentEvents = [enrolments, sections, certificates, correctedResults];
