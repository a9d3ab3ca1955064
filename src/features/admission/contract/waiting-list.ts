import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { text } from '#kit/contract/text.ts';
import { admissionHeads, processReaders } from './seat.ts';

/** The most children that a waiting list has. */
export const mostWaiting = 2000;
const path = '/process/waiting';

const waiting = z.object({
  seatId: z.number(),
  name: z.string(),
  /** In their order. */
  rows: z.array(
    z.object({ id: z.number(), child: z.string(), inquiryNo: z.string(), quota: z.string(), receivedOn: z.string() }),
  ),
});
export type WaitingList = z.infer<typeof waiting>;

export const waitingApi = {
  read: endpoint({
    method: 'GET',
    path,
    access: processReaders,
    shows: ['process', 'seat'],
    input: z.object({ seatId: id }),
    output: waiting,
  }),
  /** Puts the waiting list of a seat row in this order. */
  rank: endpoint({
    method: 'POST',
    path: '/process/rank',
    access: admissionHeads,
    changes: ['process', 'inquiry', 'seat'],
    input: z.object({
      seatId: id,
      ids: listOf(id, { least: 1, most: mostWaiting }),
      reason: freeText(text`Reason`, 300),
    }),
    output: z.object({}),
  }),
};
