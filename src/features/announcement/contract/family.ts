import * as z from 'zod/mini';
import { behindLink } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { storedBlocks } from '#kit/contract/rich-text.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { asks } from './asks.ts';
import { priorities } from './priority.ts';

/** The announcements on the family page: first those that are pinned, then the latest. */
export const familyNotices = z.array(
  z.object({
    id: z.number(),
    /** The number of its text. */
    number: z.number(),
    title: z.string(),
    body: storedBlocks,
    category: z.string(),
    priority: z.enum(priorities),
    publishedOn: z.string(),
    isEdited: z.boolean(),
    isRead: z.boolean(),
    asks: z.enum(asks),
    /** What is answered, one of them for each child; none where it asks for no answer. */
    options: z.array(z.string()),
    acknowledgeBy: z.string(),
    /** Waits above the children for what it asks. */
    isAsked: z.boolean(),
    /** The guardian has acknowledged it, or answered for each of the children. */
    isAcknowledged: z.boolean(),
    /** Answers are taken until this day is over. */
    isOpen: z.boolean(),
    /** The children to answer for; none where it asks for no answer. */
    toAnswer: z.array(z.object({ id: z.number(), name: z.string() })),
    /** The own answers. */
    answers: z.array(z.object({ studentId: z.number(), answer: z.string() })),
    /** The children that it concerns. */
    children: z.array(z.number()),
    files: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
);
export type FamilyNotice = z.infer<typeof familyNotices>[number];

export const familyNoticeApi = {
  /** Notes that the guardian has unfolded this text. */
  seen: endpoint({
    method: 'POST',
    path: '/family/notice/:id/seen',
    access: behindLink,
    isRepeatable: true,
    input: z.object({ id, number: id }),
    output: z.object({}),
  }),
  file: endpoint({
    method: 'GET',
    path: '/family/notice/:id/file/:file',
    access: behindLink,
    input: z.object({ id, file: z.string().check(z.regex(/^[0-9a-f-]{36}$/)) }),
    output: servedFile,
  }),
};
