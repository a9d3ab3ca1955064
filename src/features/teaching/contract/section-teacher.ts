import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { copyYearAnswer, copyYearInput } from '#features/calendar/contract/copy-year.ts';
import { staffNames } from '#features/staff/contract.ts';
import { subjectMaster } from '#features/subject/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, id, oneOf, optionalId, rule } from '#kit/contract/fields.ts';
import { importBytes } from '#kit/contract/import-limits.ts';
import { field, importAnswer, importInput, type MasterField, namedBy } from '#kit/contract/master.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';

const access = [admin()];
const path = '/academic/section-teacher';

/** How somebody belongs to a section. */
export const teacherRoles = ['Class teacher', 'Co-class teacher', 'Subject teacher'] as const;
export type TeacherRole = (typeof teacherRoles)[number];

/** A day of the year that is looked at; '' for today, or the year's nearest day. */
const day = calendarDay('Day', true);
/** What is looked at: a year's sections, of one grade or of all (''), one of them or all (''), of one teacher or of all (''). */
const look = {
  academicYearId: id,
  gradeId: optionalId,
  sectionId: optionalId,
  staffId: optionalId,
  on: z._default(day, ''),
};

export const subjectMissing = 'Choose the subject.';
export const inactiveSubject = 'This subject is switched off. Nobody begins to teach it.';
export const daysSwapped = 'The last day cannot come before the first.';

/** The columns of the mapping as a file: what is exported can be imported again. */
export const teacherFile = {
  section: field.text('Section', { max: 80 }),
  program: field.text('Program', { max: 80, optional: true }),
  branch: field.text('Branch', { max: 80, optional: true }),
  role: field.oneOf('Role', { options: teacherRoles }),
  subjectId: field.ref('Subject', { to: namedBy(subjectMaster), optional: true }),
  staffId: field.ref('Teacher', { to: staffNames, optional: true }),
  periodsPerWeek: field.number('Periods a week', { least: 1, most: 60, optional: true }),
  effectiveFrom: field.date('From'),
  effectiveTo: field.date('Until', { optional: true }),
  /** For who reads it; an import passes over it. */
  note: field.text('Note', { max: 80, optional: true }),
} satisfies Record<string, MasterField>;
/** What the note says. */
export const hasLeft = 'has left';
export const nobodyYet = 'nobody yet';

const assigned = z.object({
  id: z.number(),
  version: z.number(),
  sectionId: z.number(),
  staffId: z.number(),
  staff: z.string(),
  /** Somebody who has left still stands where nobody has taken over. */
  isActive: z.boolean(),
  role: z.enum(teacherRoles),
  subjectId: z.nullable(z.number()),
  periodsPerWeek: z.nullable(z.number()),
  effectiveFrom: z.string(),
  /** '' until the year ends. */
  effectiveTo: z.string(),
});
export type Assigned = z.infer<typeof assigned>;

const periods = wholeNumber('Periods a week', { least: 1, most: 60, optional: true });
const times = {
  effectiveFrom: calendarDay('From'),
  effectiveTo: calendarDay('Until', true),
};
const inOrder = rule<{ effectiveFrom: string; effectiveTo: string }>(({ effectiveFrom, effectiveTo }, say) => {
  if (effectiveTo && effectiveFrom && effectiveTo < effectiveFrom) say('effectiveTo', daysSwapped);
});
const done = z.object({
  /** Of which other sections they are class teacher on the same days: allowed, and said. */
  alsoOf: z.array(z.string()),
});

export const sectionTeacherApi = {
  /** Sections with who teaches them, from a day on; what has ended by then is left out. */
  read: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['teacher', 'grade-subject', 'subject', 'section', 'grade', 'program', 'branch', 'staff', 'year'],
    input: z.object(look),
    output: z.object({
      on: z.string(),
      isClosed: z.boolean(),
      sections: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          program: z.string(),
          branch: z.string(),
          /** The subjects its grade takes, also those that are switched off while somebody teaches them. */
          subjectIds: z.array(z.number()),
        }),
      ),
      /** How many sections come after these. */
      omitted: z.number(),
      /** Those of one grade, section or teacher; none while all are shown. */
      subjects: z.array(z.object({ id: z.number(), name: z.string(), shortName: z.string(), isActive: z.boolean() })),
      assigned: z.array(assigned),
    }),
  }),
  /** What nobody who is still here teaches or leads on that day: the first hundred, and how many. */
  gaps: endpoint({
    method: 'GET',
    path: `${path}/gap`,
    access,
    shows: ['teacher', 'grade-subject', 'subject', 'section', 'grade', 'program', 'branch', 'staff', 'year'],
    input: z.object(look),
    output: z.object({
      gaps: z.array(
        z.object({
          sectionId: z.number(),
          gradeId: z.number(),
          section: z.string(),
          /** '' for a class teacher. */
          subject: z.string(),
          /** Who stood there and has left. */
          left: z.string(),
        }),
      ),
      total: z.number(),
    }),
  }),
  /** What each teacher has in the year on that day, those with most first. */
  load: endpoint({
    method: 'GET',
    path: `${path}/load`,
    access,
    shows: ['teacher', 'staff'],
    input: z.object(look),
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
        role: oneOf('Role', teacherRoles),
        subjectId: chosenId('Subject', subjectMissing),
        staffId: neededId('Teacher'),
        periodsPerWeek: periods,
        ...times,
      })
      .check(inOrder)
      .check(
        rule<{ role: string; subjectId: number | null }>(({ role, subjectId }, say) => {
          if (role === 'Subject teacher' && subjectId === null) say('subjectId', subjectMissing);
        }),
      ),
    output: done,
  }),
  change: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access,
    changes: ['teacher'],
    input: z.object({ id, version: id, periodsPerWeek: periods, ...times }).check(inOrder),
    output: done,
  }),
  /** Somebody else takes over from a day on; with a last day they cover until then, and the first comes back. */
  replace: endpoint({
    method: 'POST',
    path: `${path}/:id/replace`,
    access,
    changes: ['teacher'],
    input: z.object({ id, version: id, staffId: neededId('Teacher'), ...times }).check(inOrder),
    output: done,
  }),
  /** Takes back what was entered by mistake. */
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    changes: ['teacher'],
    input: z.object({ id, version: id }),
    output: z.object({}),
  }),
  /** Copies who teaches what at the end of one year to the same sections of another. */
  copy: endpoint({
    method: 'POST',
    path: `${path}/copy`,
    access,
    changes: ['teacher'],
    input: copyYearInput,
    output: copyYearAnswer,
  }),
  /** Previews what becomes of every row of a file, and does it once that is confirmed. */
  import: endpoint({
    method: 'POST',
    path: `${path}/import`,
    access,
    changes: ['teacher'],
    hasTable: true,
    mostBytes: importBytes * 2,
    input: z.object({ academicYearId: id, ...importInput }),
    output: importAnswer,
  }),
  /** As it is shown, and each place without anybody. */
  export: endpoint({
    method: 'GET',
    path: `${path}/export`,
    access,
    input: z.object({ ...look, as: z.enum(tableKinds) }),
    output: servedFile,
  }),
};
