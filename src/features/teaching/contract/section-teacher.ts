import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { copyYearAnswer, copyYearInput } from '#features/calendar/contract/copy-year.ts';
import { subjectMaster } from '#features/subject/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { type Field, field } from '#kit/contract/field.ts';
import { chosenId, id, idAndVersion, oneOf, optionalId, rule } from '#kit/contract/fields.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];
const path = '/academic/section-teacher';

export const teacherRoles = options('Class teacher', 'Co-class teacher', 'Subject teacher');
export type TeacherRole = (typeof teacherRoles)[number];

/** A day of the academic year; '' for today, or the year's nearest day. */
const day = calendarDay(text`Day`, true);
/** The filter: a year and a day, and optionally a grade, a section and a teacher. */
const filter = {
  academicYearId: id,
  gradeId: optionalId,
  sectionId: optionalId,
  staffId: optionalId,
  on: z._default(day, ''),
};

export const inactiveSubject = text`This entry is inactive. Choose another one.`;

/** The columns of a file; an export has all but the grade, which is in the section's name. */
export const teacherFile = {
  /** Where the section is only its letter. */
  grade: field.text(text`Grade`, { max: 30, optional: true, alsoNamed: ['Class', 'Std', 'Standard'] }),
  section: field.text(text`Section`, { max: 80, alsoNamed: ['Class and section', 'Div', 'Division', 'Sec'] }),
  program: field.text(text`Program`, { max: 80, optional: true }),
  branch: field.text(text`Branch`, { max: 80, optional: true }),
  role: field.oneOf(text`Role`, { options: teacherRoles }),
  subjectId: field.ref(text`Subject`, { to: namedBy(subjectMaster), optional: true }),
  staffId: field.ref(text`Teacher`, {
    to: staffNames,
    optional: true,
    alsoNamed: ['Class teacher', 'Class teacher name', 'Teacher name', 'Name of class teacher'],
  }),
  periodsPerWeek: field.number(text`Periods per week`, { least: 1, most: 60, optional: true }),
  effectiveFrom: field.date(text`From`),
  effectiveTo: field.date(text`Until`, { optional: true }),
  /** For the reader only; an import ignores it. */
  note: field.text(text`Note`, { max: 80, optional: true }),
} satisfies Record<string, Field>;
/** The words of a note. */
export const inactive = 'inactive';
export const noTeacher = 'no teacher';

const assigned = z.object({
  id: z.number(),
  version: z.number(),
  sectionId: z.number(),
  staffId: z.number(),
  staff: z.string(),
  /** Inactive teachers stay assigned until they are replaced. */
  isActive: z.boolean(),
  role: z.enum(teacherRoles),
  subjectId: z.nullable(z.number()),
  periodsPerWeek: z.nullable(z.number()),
  effectiveFrom: z.string(),
  /** '' until the year ends. */
  effectiveTo: z.string(),
});
export type Assigned = z.infer<typeof assigned>;

const periods = wholeNumber(text`Periods per week`, { least: 1, most: 60, optional: true });
const times = {
  effectiveFrom: calendarDay(text`From`),
  effectiveTo: calendarDay(text`Until`, true),
};
const inOrder = rule<{ effectiveFrom: string; effectiveTo: string }>(({ effectiveFrom, effectiveTo }, say) => {
  if (effectiveTo && effectiveFrom && effectiveTo < effectiveFrom) say('effectiveTo', text`Enter a later last day.`);
});
const done = z.object({
  /** Other sections with the same class teacher on the same days: allowed, with a warning. */
  alsoOf: z.array(z.string()),
});

export const sectionTeacherApi = {
  /** Sections with their teachers from a day on. */
  read: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['teacher', 'grade-subject', 'subject', 'section', 'grade', 'program', 'branch', 'staff', 'year'],
    input: z.object(filter),
    output: z.object({
      on: z.string(),
      isClosed: z.boolean(),
      sections: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          program: z.string(),
          branch: z.string(),
          /** The subjects of its grade; an inactive one only while it has a teacher. */
          subjectIds: z.array(z.number()),
        }),
      ),
      /** How many sections come after these. */
      omitted: z.number(),
      /** The subjects of one grade, section or teacher; empty without such a filter. */
      subjects: z.array(z.object({ id: z.number(), name: z.string(), shortName: z.string(), isActive: z.boolean() })),
      assigned: z.array(assigned),
    }),
  }),
  /** Sections without an active class teacher and subjects without an active teacher: the first hundred, and the total. */
  gaps: endpoint({
    method: 'GET',
    path: `${path}/gap`,
    access,
    shows: ['teacher', 'grade-subject', 'subject', 'section', 'grade', 'program', 'branch', 'staff', 'year'],
    input: z.object(filter),
    output: z.object({
      gaps: z.array(
        z.object({
          sectionId: z.number(),
          gradeId: z.number(),
          section: z.string(),
          /** '' for a class teacher. */
          subject: z.string(),
          /** The inactive teachers assigned there. */
          left: z.string(),
        }),
      ),
      total: z.number(),
    }),
  }),
  /** The load of each teacher on a day, highest first. */
  load: endpoint({
    method: 'GET',
    path: `${path}/load`,
    access,
    shows: ['teacher', 'staff'],
    input: z.object(filter),
    output: z.object({
      rows: z.array(z.object({ staffId: z.number(), staff: z.string(), periods: z.number(), sections: z.number() })),
      /** How many teachers come after these. */
      omitted: z.number(),
    }),
  }),
  assign: endpoint({
    method: 'POST',
    path,
    access,
    changes: ['teacher'],
    input: z
      .object({
        sectionId: id,
        role: oneOf(text`Role`, teacherRoles),
        subjectId: chosenId(text`Subject`),
        staffId: neededId(text`Teacher`),
        periodsPerWeek: periods,
        ...times,
      })
      .check(inOrder)
      .check(
        rule<{ role: string; subjectId: number | null }>(({ role, subjectId }, say) => {
          if (role === 'Subject teacher' && subjectId === null) say('subjectId', text`Choose one from the list.`);
        }),
      ),
    output: done,
  }),
  change: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access,
    changes: ['teacher'],
    input: z.object({ ...idAndVersion, periodsPerWeek: periods, ...times }).check(inOrder),
    output: done,
  }),
  /** Another teacher takes over from a day; with a last day as a substitute, after which the first one is back. */
  replace: endpoint({
    method: 'POST',
    path: `${path}/:id/replace`,
    access,
    changes: ['teacher'],
    input: z.object({ ...idAndVersion, staffId: neededId(text`Teacher`), ...times }).check(inOrder),
    output: done,
  }),
  /** Removes a whole assignment, for mistakes. */
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    changes: ['teacher'],
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
  /** Copies the assignments at the end of one year to the same sections of another. */
  copy: endpoint({
    method: 'POST',
    path: `${path}/copy`,
    access,
    changes: ['teacher'],
    input: copyYearInput,
    output: copyYearAnswer,
  }),
  /** The filtered assignments, with a row for each missing teacher. */
  export: endpoint({
    method: 'GET',
    path: `${path}/export`,
    access,
    input: z.object({ ...filter, as: z.enum(tableKinds) }),
    output: servedFile,
  }),
};

export const teacherImportApi = importApi({
  path: `${path}/import`,
  access,
  changes: ['teacher'],
  hidden: { academicYearId: id },
  columns: teacherFile,
  needed: ['section', 'role', 'subjectId', 'staffId', 'effectiveFrom'],
  pair: ['grade', 'section'],
});
