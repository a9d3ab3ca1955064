import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { path } from './homework.ts';
import { homeworkReaders } from './words.ts';

const missingOfChild = z.object({
  studentId: z.number(),
  name: z.string(),
  section: z.string(),
  rows: z.array(
    z.object({
      id: z.number(),
      subject: z.string(),
      title: z.string(),
      /** The child’s own due day. */
      dueOn: z.string(),
      status: z.enum(['Missing', 'Not done', 'Incomplete']),
      /** The first day from its giving on which a guardian opened the family page; '' for none. */
      seenOn: z.string(),
    }),
  ),
});
export type MissingOfChild = z.infer<typeof missingOfChild>;

export const missingChildApi = {
  /** What a child has not submitted in this academic year, of the homework that the user reaches; by subject. */
  read: endpoint({
    method: 'GET',
    path: `${path}/missing/:id/child`,
    access: homeworkReaders,
    opens: 'student',
    shows: ['homework', 'student', 'section', 'section-teacher'],
    input: z.object({ id }),
    output: missingOfChild,
  }),
};
