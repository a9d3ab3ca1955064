import * as z from 'zod/mini';
import { behindLink } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { statuses } from './words.ts';

/** Homework as the family page has it, latest first for each child. */
export const familyHomework = z.array(
  z.object({
    /** Of the delivery. */
    id: z.number(),
    studentId: z.number(),
    title: z.string(),
    subject: z.string(),
    minutes: z.number(),
    assignedOn: z.string(),
    dueOn: z.string(),
    /** It is due after today, by the next school day. */
    isNext: z.boolean(),
    instructions: z.string(),
    links: z.array(z.string()),
    files: z.array(z.object({ id: z.string(), name: z.string() })),
    status: z.enum(statuses),
    marks: z.nullable(z.number()),
    maxMarks: z.nullable(z.number()),
    feedback: z.string(),
  }),
);
export type FamilyHomework = z.infer<typeof familyHomework>[number];

export const familyFileApi = {
  file: endpoint({
    method: 'GET',
    path: '/family/homework/:id/file/:file',
    access: behindLink,
    input: z.object({ id, file: z.uuid() }),
    output: servedFile,
  }),
};
