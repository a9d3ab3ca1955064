import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalId, optionalText } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';

const access = [admin()];
const path = '/configuration/student-subject';

const look = { academicYearId: id, gradeId: id };
/** The electives of one group; those of no group have none. */
const choice = { ...look, programId: id, groupId: optionalId };

const electiveGroup = z.object({
  programId: z.number(),
  program: z.string(),
  /** null for electives that belong to no group: each may be chosen or not. */
  groupId: z.nullable(z.number()),
  name: z.string(),
  min: z.number(),
  max: z.nullable(z.number()),
  /** What can be chosen, and how many of the grade have; what is switched off nobody chooses any more. */
  subjects: z.array(z.object({ id: z.number(), name: z.string(), isActive: z.boolean(), chosen: z.number() })),
  students: z.number(),
  /** How many of them have chosen fewer than they must. */
  few: z.number(),
});
export type ElectiveGroup = z.infer<typeof electiveGroup>;

const student = z.object({
  /** The enrollment, by which everything here is done. */
  id: z.number(),
  name: z.string(),
  grNo: z.string(),
  /** '' without one. */
  section: z.string(),
  chosen: z.array(z.number()),
  /** The last day of who is not in the grade any more and has chosen; '' of everybody else. */
  until: z.string(),
});
export type ChoosingStudent = z.infer<typeof student>;

/** How many students one list shows. */
export const mostChoosing = 100;

const change = z.object({ enrollmentId: id, subjectId: id, before: z.boolean(), after: z.boolean() });
const isOnce = (changes: z.infer<typeof change>[]) =>
  new Set(changes.map(({ enrollmentId, subjectId }) => `${enrollmentId} ${subjectId}`)).size === changes.length;

export const studentSubjectApi = {
  /** The groups of electives that a grade has in a year, and its sections. */
  groups: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['elective', 'elective-group', 'subject', 'grade-subject', 'student', 'section', 'year'],
    input: z.object(look),
    output: z.object({
      isClosed: z.boolean(),
      groups: z.array(electiveGroup),
      sections: z.array(z.object({ id: z.number(), programId: z.number(), name: z.string() })),
    }),
  }),
  /** Who chooses and what they have chosen; at most a hundred, and how many there are. */
  students: endpoint({
    method: 'GET',
    path: `${path}/student`,
    access,
    shows: ['elective', 'student', 'section'],
    input: z.object({
      ...choice,
      sectionId: optionalId,
      /** Only those who have chosen fewer than they must. */
      few: z._default(z.enum(['', 'yes']), ''),
      search: optionalText('Search', 100),
    }),
    output: z.object({ students: z.array(student), total: z.number() }),
  }),
  /** Changes what students have chosen, each from what was seen; where one was changed meanwhile none is. */
  save: endpoint({
    method: 'PUT',
    path,
    access,
    changes: ['elective'],
    // Two thousand changes are more than other requests hold.
    mostBytes: 512 * 1024,
    input: z.object({
      ...choice,
      changes: listOf(change, { most: 2000, least: 1 }).check(
        z.refine(isOnce, { error: 'The same choice stands there twice.' }),
      ),
    }),
    output: z.object({}),
  }),
};
