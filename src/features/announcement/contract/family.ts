import * as z from 'zod/mini';
import { behindLink } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { storedBlocks } from '#kit/contract/rich-text.ts';
import { servedFile } from '#kit/contract/served-file.ts';
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
    needsAcknowledgement: z.boolean(),
    acknowledgeBy: z.string(),
    isAcknowledged: z.boolean(),
    /** Until 14 days after the last day for it, or 30 days after publishing where it has none. */
    isWaiting: z.boolean(),
    /** The children that it concerns. */
    children: z.array(z.number()),
    files: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
);
export type FamilyNotice = z.infer<typeof familyNotices>[number];

const receipt = (word: 'seen' | 'acknowledge') =>
  endpoint({
    method: 'POST',
    path: `/family/notice/:id/${word}`,
    access: behindLink,
    isRepeatable: true,
    input: z.object({ id, number: id }),
    output: z.object({}),
  });

export const familyNoticeApi = {
  /** Notes that the guardian has unfolded this text. */
  seen: receipt('seen'),
  acknowledge: receipt('acknowledge'),
  file: endpoint({
    method: 'GET',
    path: '/family/notice/:id/file/:file',
    access: behindLink,
    input: z.object({ id, file: z.string().check(z.regex(/^[0-9a-f-]{36}$/)) }),
    output: servedFile,
  }),
};
