import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, id, optionalFreeText, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { text } from '#kit/contract/text.ts';

const access = [admin()];
const path = '/configuration/student-subject';

const filter = { academicYearId: id, gradeId: id };
/** One group of electives; null for those without a group. */
const choice = { ...filter, programId: id, groupId: optionalId };

const electiveGroup = z.object({
  programId: z.number(),
  program: z.string(),
  /** null for electives that belong to no group: each may be chosen or not. */
  groupId: z.nullable(z.number()),
  name: z.string(),
  min: z.number(),
  max: z.nullable(z.number()),
  /** The group's subjects with the number of students; inactive ones can only be removed. */
  subjects: z.array(z.object({ id: z.number(), name: z.string(), isActive: z.boolean(), chosen: z.number() })),
  students: z.number(),
  /** How many of them have fewer than the minimum. */
  few: z.number(),
});
export type ElectiveGroup = z.infer<typeof electiveGroup>;

const student = z.object({
  /** The enrollment's id. */
  id: z.number(),
  name: z.string(),
  grNo: z.string(),
  /** '' without one. */
  section: z.string(),
  chosen: z.array(z.number()),
  /** The last day of a student who left and still has electives; '' for others. */
  until: z.string(),
});
export type ChoosingStudent = z.infer<typeof student>;

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
    input: z.object(filter),
    output: z.object({
      isClosed: z.boolean(),
      groups: z.array(electiveGroup),
      sections: z.array(z.object({ id: z.number(), programId: z.number(), name: z.string() })),
    }),
  }),
  /** Students with their choices: the first hundred, and the total. */
  students: endpoint({
    method: 'GET',
    path: `${path}/student`,
    access,
    shows: ['elective', 'student', 'section'],
    input: z.object({
      ...choice,
      sectionId: optionalId,
      /** Only students with fewer than the minimum. */
      few: z._default(z.enum(['', 'yes']), ''),
      search: optionalFreeText(text`Search`, 100),
    }),
    output: z.object({ students: z.array(student), total: z.number() }),
  }),
  /** Saves changed choices together; `stale` where one has changed since it was read. */
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
        z.refine(isOnce, because(text`The same elective is chosen twice.`)),
      ),
    }),
    output: z.object({}),
  }),
};
