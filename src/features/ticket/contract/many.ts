import * as z from 'zod/mini';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, oneOf } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { priorities } from './masters.ts';
import { oneReceiver, receiverFields, ticketChanges, ticketUsers } from './ticket.ts';

export const manyMessages = {
  notOpen: text`It is not open, or not yours to accept.`,
  notYours: text`Only those who work on it can do this.`,
  over: text`It is resolved, closed or cancelled.`,
  yours: text`It is assigned to you.`,
};

const many = <const Word extends string, Input extends z.ZodMiniType<object> | z.ZodMiniObject>(
  word: Word,
  input: Input,
) =>
  endpoint({
    method: 'POST',
    path: `/ticket/${word}-many`,
    access: ticketUsers,
    changes: ticketChanges,
    input,
    output: bulkAnswer,
  });

const chosen = { selection, confirmToken };
const reason = freeText(text`Reason`, 300);

/** Acts on selected tickets; those that the user may not change are skipped with the reason. */
export const manyApi = {
  accept: many('accept', z.object(chosen)),
  transfer: many('transfer', z.object({ ...chosen, ...receiverFields, reason }).check(oneReceiver)),
  prioritise: many('priority', z.object({ ...chosen, priority: oneOf(text`Priority`, priorities), reason })),
  /** Reminds the people who have the tickets; at most one email for each ticket and day. */
  remind: many('remind', z.object(chosen)),
};
