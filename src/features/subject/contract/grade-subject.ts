import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { copyYearAnswer, copyYearInput } from '#features/calendar/contract/copy-year.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';

const access = [admin()];
const path = '/configuration/grade-subject';
const place = { academicYearId: id, programId: id };

/** How a grade takes a subject: not at all (''), compulsory ('C'), or elective ('E', followed by the group's id). */
const taken = z.string().check(z.regex(/^(|C|E|E[1-9][0-9]{0,8})$/));
export type Taken = string;

const cell = z.object({ gradeId: id, subjectId: id, taken });
const named = z.array(z.object({ id: z.number(), name: z.string() }));

export const gradeSubjectApi = {
  /** The whole matrix of a program in a year. */
  read: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['grade-subject', 'subject', 'elective-group', 'grade', 'program', 'year'],
    input: z.object(place),
    output: z.object({ grades: named, subjects: named, groups: named, cells: z.array(cell), isClosed: z.boolean() }),
  }),
  /** The programs that have subjects in a year, those with most of them first. */
  programs: endpoint({
    method: 'GET',
    path: `${path}/program`,
    access,
    shows: ['grade-subject', 'program', 'year'],
    input: z.object({ academicYearId: id }),
    output: z.array(z.number()),
  }),
  /** Saves changed cells together; `stale` where one has changed since it was read. */
  save: endpoint({
    method: 'PUT',
    path,
    access,
    changes: ['grade-subject'],
    input: z.object({
      ...place,
      changes: listOf(z.object({ gradeId: id, subjectId: id, before: taken, after: taken }), { most: 2000, least: 1 }),
    }),
    output: z.object({}),
  }),
  /** Copies the missing entries of another year, for all programs. */
  copy: endpoint({
    method: 'POST',
    path: `${path}/copy`,
    access,
    changes: ['grade-subject'],
    input: copyYearInput,
    output: copyYearAnswer,
  }),
};
