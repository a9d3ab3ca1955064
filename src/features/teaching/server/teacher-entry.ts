import { sql } from 'kysely';
import { closedYearAt } from '#features/calendar/contract/masters.ts';
import type { Context } from '#kit/server/context.ts';
import type { ConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import type { Act } from '#kit/server/security/audit.ts';
import type { TeacherRole } from '../contract/section-teacher.ts';

export const rules: ConstraintMessages = {
  table: 'academic_section_teacher',
  fields: {},
  constraintMessages: {
    academic_section_teacher_one_class_teacher: {
      field: 'effectiveFrom',
      says: 'The section has a class teacher on these days. Replace that one instead.',
    },
    academic_section_teacher_overlap: {
      field: 'staffId',
      says: 'This teacher is entered for the same on some of these days already.',
    },
    academic_section_teacher_inside_year: { field: 'effectiveFrom', says: 'The days lie inside the academic year.' },
    academic_section_teacher_is_taught: { field: 'subjectId', says: 'This grade does not take this subject.' },
    ...closedYearAt('effectiveFrom'),
  },
};

/** Whether somebody still works here. */
export const isHere = sql<boolean>`staff.is_active`;

export interface Period {
  effectiveFrom: string;
  effectiveTo: string;
}

export interface Entry extends Period {
  sectionId: number;
  staffId: number;
  role: TeacherRole;
  subjectId: number | null;
  periodsPerWeek: number | null;
}

/** Enters many at once, each of the year and grade of its section. */
export const insertAll = (db: Context['db'], entries: Entry[]) =>
  sql`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
      subject_id, periods_per_week, effective_from, effective_to)
    select section.academic_year_id, section.branch_id, section.program_id, section.grade_id, section.id, given."staffId",
      given.role, given."subjectId", given."periodsPerWeek", given."effectiveFrom",
      nullif(given."effectiveTo", '')::date
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as given ("sectionId" integer, "staffId" integer, role text,
      "subjectId" integer, "periodsPerWeek" smallint, "effectiveFrom" date, "effectiveTo" text)
    join academic_section section on section.id = given."sectionId"`.execute(db);

interface Names {
  section: string;
  teacher: string;
  subject: string;
}

/** How an act of one entry is written down. */
export const noteOf = (what: string, entry: Entry, names: Names, options: Record<string, string> = {}): Act => ({
  action: `section-teacher.${what}`,
  entity: 'academic_section',
  entityId: entry.sectionId,
  details: {
    Section: names.section,
    Teacher: names.teacher,
    Role: entry.role,
    ...(names.subject && { Subject: names.subject }),
    From: entry.effectiveFrom,
    ...(entry.effectiveTo && { Until: entry.effectiveTo }),
    ...options,
  },
});
