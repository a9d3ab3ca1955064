import * as z from 'zod/mini';
import { behindLink } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';

const teacher = z.object({
  hostId: z.number(),
  teacher: z.string(),
  isClassTeacher: z.boolean(),
  /** What the teacher teaches in the meeting’s sections; '' for nothing. */
  subjects: z.string(),
  studentId: z.number(),
  child: z.string(),
  /** The time of the family with this teacher for this child; null while none is booked. */
  booked: z.nullable(
    z.object({ slotId: z.number(), from: z.string(), to: z.string(), place: z.string(), mayFree: z.boolean() }),
  ),
});
export type FamilyTeacher = z.infer<typeof teacher>;

/** The meetings of the children from today on. */
export const familyMeetings = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    day: z.string(),
    booksUntil: z.string(),
    mayBook: z.boolean(),
    teachers: z.array(teacher),
  }),
);
export type FamilyMeeting = z.infer<typeof familyMeetings>[number];

export const familyMeetingApi = {
  /** The free times of a teacher. */
  slots: endpoint({
    method: 'GET',
    path: '/family/meeting/host/:id/slot',
    access: behindLink,
    input: z.object({ id }),
    output: z.array(z.object({ id: z.number(), from: z.string(), to: z.string() })),
  }),
  book: endpoint({
    method: 'POST',
    path: '/family/meeting/slot/:id/book',
    access: behindLink,
    input: z.object({ id, studentId: id }),
    output: z.object({ from: z.string(), to: z.string(), place: z.string(), mayFree: z.boolean() }),
  }),
  /** Gives up a time, until half a day before it. */
  free: endpoint({
    method: 'POST',
    path: '/family/meeting/slot/:id/free',
    access: behindLink,
    input: z.object({ id }),
    output: z.object({}),
  }),
};
