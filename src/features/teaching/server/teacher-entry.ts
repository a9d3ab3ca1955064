import { sql } from 'kysely';
import { closedYearAt } from '#features/calendar/contract/closed-year.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { ConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { type ColumnTypes, column, inputColumn, objectOf, recordsetOf } from '#kit/server/master/sql.ts';
import type { Act } from '#kit/server/security/audit.ts';
import type { TeacherRole } from '../contract/section-teacher.ts';

export const rules: ConstraintMessages = {
  table: 'academic_section_teacher',
  fields: {},
  constraintMessages: {
    academic_section_teacher_one_class_teacher: {
      field: 'effectiveFrom',
      message: text`This section already has a class teacher on these days. Use Replace instead.`,
    },
    academic_section_teacher_overlap: {
      field: 'staffId',
      message: text`This teacher already has this assignment. Choose another teacher or other days.`,
    },
    academic_section_teacher_inside_year: {
      field: 'effectiveFrom',
      message: text`Enter dates within the academic year.`,
    },
    academic_section_teacher_employed: {
      field: 'effectiveTo',
      message: text`This teacher’s last day of work is earlier. Enter that day or an earlier one.`,
    },
    academic_section_teacher_is_taught: {
      field: 'subjectId',
      message: text`This subject is not taught in this grade. Add it in the Subject Master.`,
    },
    ...closedYearAt('effectiveFrom'),
  },
};

/** Whether a teacher is active, where the query has `staff`. */
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

type Field = keyof Entry;

/** The column of each field is called like it, in small letters with underscores. A date that is null is ''. */
const columnTypes = {
  sectionId: 'integer',
  staffId: 'integer',
  role: 'text',
  subjectId: 'integer',
  periodsPerWeek: 'smallint',
  effectiveFrom: 'date',
  effectiveTo: 'date',
} as const satisfies ColumnTypes & Record<Field, string>;
const fields = Object.keys(columnTypes) as Field[];

/** The fields by which an import finds an entry. */
const keyFields = ['sectionId', 'role', 'subjectId', 'staffId', 'effectiveFrom'] as const;
type Key = Pick<Entry, (typeof keyFields)[number]>;
export type Changeable = Omit<Entry, keyof Key>;

export const keyOf = (entry: Key) => keyFields.map((name) => entry[name]).join(' ');

/** The fields an import may change. */
export const changeable = fields.filter((name): name is keyof Changeable => !keyFields.some((key) => key === name));

/** An entry as the database has it, of the rows called `own`. */
export const entryOf = objectOf<Entry>(columnTypes);

/** Adds entries; returns the id of each by its key. */
export async function insertAll(db: Context['db'], entries: Entry[]): Promise<Map<string, number>> {
  const valid = entries.map((entry) => (entry.role === 'Subject teacher' ? entry : { ...entry, subjectId: null }));
  const { rows } = await sql<
    Key & { id: number }
  >`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id,
      ${sql.join(fields.map(column))})
    select section.academic_year_id, section.branch_id, section.program_id, section.grade_id,
      ${sql.join(fields.map(inputColumn))}
    from ${recordsetOf(columnTypes, valid)}
    join academic_section section on section.id = input.section_id
    returning id, section_id as "sectionId", role, subject_id as "subjectId", staff_id as "staffId",
      effective_from::text as "effectiveFrom"`.execute(db);
  return new Map(rows.map((row) => [keyOf(row), row.id]));
}

export const updateAll = <Name extends Field>(
  db: Context['db'],
  names: readonly Name[],
  entries: (Pick<Entry, Name> & { id: number })[],
) =>
  sql`update academic_section_teacher own set version = own.version + 1,
      ${sql.join(names.map((name) => sql`${column(name)} = ${inputColumn(name)}`))}
    from ${recordsetOf(columnTypes, entries)}
    where input.id = own.id`.execute(db);

/** The names behind an entry's ids. */
interface Names {
  section?: string;
  staffId?: string;
  subjectId?: string | null;
}

/** The audit record of a change to one entry. */
export const noteOf = (what: string, entry: Entry, names: Names, options: Record<string, string> = {}): Act => ({
  action: `section-teacher.${what}`,
  entity: 'academic_section',
  entityId: entry.sectionId,
  details: {
    Section: names.section ?? '',
    Teacher: names.staffId ?? '',
    Role: entry.role,
    ...(names.subjectId && { Subject: names.subjectId }),
    From: entry.effectiveFrom,
    ...(entry.effectiveTo && { Until: entry.effectiveTo }),
    ...options,
  },
});
