import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind } from '#kit/server/context.ts';
import { applyAsked, resultKind } from './correct-result.ts';
import { lockSections } from './placement.ts';

/** Corrections of results of a closed year, which the office prepares: the principal decides. */
export const resultApproval: ApprovalKind = {
  kind: resultKind,
  subject: 'student_result_change_id',
  title: text`Correction of a result`,
  notice: text`A correction of a result is waiting for your approval.`,
  sets: ['principal'],
  isOfYear: (yearId, subjectId) =>
    sql<boolean>`exists (select from student_result_change own join student_enrollment enrollment
      on enrollment.id = own.enrollment_id
      where own.id = ${subjectId} and (enrollment.academic_year_id = ${yearId}
        or exists (select from student_enrollment later where later.student_id = enrollment.student_id and later.is_standing
          and later.academic_year_id = ${yearId} and later.joined_on > enrollment.joined_on)))`,
  describe: async ({ db }, ids) => {
    const { rows } = await sql<{
      id: number;
      studentId: number;
      version: number;
      year: string;
      was: string;
      to: string;
      now: string;
      from: string;
      section: string | null;
      /** What changes the effect: the seats that are left. */
      seats: string | null;
      effect: Text[];
    }>`
      select own.id, student.id as "studentId", student.version, year.name as year, enrollment.status as now,
        own.from_status as was, own.to_status as "to", own.effective_from as "from", own.effect,
        academic_section_name(grade.name, section.name) as section,
        (select count(*) || ' of ' || section.capacity from student_section seated where seated.section_id = section.id
          and own.effective_from between seated.effective_from and coalesce(seated.effective_to, own.effective_from)) as seats
      from student_result_change own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id
      join student on student.id = enrollment.student_id
      join academic_year year on year.id = enrollment.academic_year_id
      left join academic_section section on section.id = own.section_id
      left join academic_grade grade on grade.id = section.grade_id
      where own.id = any(${[...ids]}::integer[])`.execute(db);
    return new Map(
      rows.map(({ id, studentId, version, year, was, to, now, from, section, seats, effect }) => [
        id,
        {
          facts: [
            { label: text`Academic year`, value: verbatim(year) },
            { label: text`Result`, value: { id: was } },
            { label: text`Corrected`, value: { id: to } },
            { label: text`From`, value: verbatim(showDate(from)) },
            ...(section ? [{ label: text`Section`, value: verbatim(section) }] : []),
          ],
          effect,
          to: `student/student-list/${studentId}`,
          basis: [version, now, seats],
        },
      ]),
    );
  },
  decide: async (ctx, ids, outcome) => {
    if (outcome !== 'Approved')
      await sql`update student_result_change set outcome = ${outcome} where id = any(${[...ids]}::integer[])`.execute(
        ctx.db,
      );
    else for (const id of ids) await applyAsked(ctx, id);
  },
  lock: async (ctx, ids) => {
    const { db } = ctx;
    const { rows } = await sql<{ studentId: number; sectionId: number | null }>`
      select enrollment.student_id as "studentId", own.section_id as "sectionId" from student_result_change own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id
      where own.id = any(${[...ids]}::integer[])`.execute(db);
    const students = sql`any(${rows.map(({ studentId }) => studentId)}::integer[])`;
    await sql`select from academic_year where id in (select academic_year_id from student_enrollment
      where student_id = ${students}) order by id for share`.execute(db);
    await sql`select from student_enrollment where student_id = ${students} order by id for update`.execute(db);
    const { rows: seated } = await sql<{ id: number }>`select distinct section_id as id from student_section
      where student_id = ${students}`.execute(db);
    await lockSections(ctx, [...seated.map(({ id }) => id), ...rows.flatMap(({ sectionId }) => sectionId ?? [])]);
    await sql`select from student where id = ${students} order by id for update`.execute(db);
  },
};
