import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalId } from '#kit/contract/fields.ts';

const access = [admin()];

/** A job that has failed at least once and is tried again, or has no try left. */
const job = z.object({
  id: z.number(),
  /** What it does. */
  does: anyText,
  tries: z.number(),
  /** It has used all its tries. */
  isOver: z.boolean(),
  /** The error’s code, without what it was about. */
  error: z.string(),
  /** When it is tried again. */
  nextAt: z.iso.datetime(),
  isRunning: z.boolean(),
});
export type FailedJob = z.infer<typeof job>;

/** Messages of one kind that were not sent for the same reason. */
const lostMessages = z.object({
  template: z.string(),
  channel: z.enum(['email', 'sms']),
  error: z.string(),
  messages: z.number(),
});

const alert = z.object({
  name: z.string(),
  text: anyText,
  beganAt: z.iso.datetime(),
  /** When the Admins were last told by email. */
  toldAt: z.nullable(z.iso.datetime()),
  endedAt: z.nullable(z.iso.datetime()),
});

export const workApi = {
  read: endpoint({
    method: 'GET',
    path: '/system/work',
    access,
    shows: ['system'],
    /** The jobs before this one, which an earlier answer has named. */
    input: z.object({ before: optionalId }),
    output: z.object({
      jobs: z.array(job),
      /** The last of them, where there are more. */
      before: z.nullable(z.number()),
      upkeep: z.array(
        z.object({ name: z.string(), tries: z.number(), error: z.string(), lastOkAt: z.nullable(z.iso.datetime()) }),
      ),
      /** Those of the last 30 days. */
      messages: z.array(lostMessages),
      runs: z.array(z.object({ id: z.number(), title: anyText, startedAt: z.iso.datetime(), failed: z.number() })),
      /** What the Admins are told of by email, and what has ended since. */
      alerts: z.array(alert),
    }),
  }),
  /** Tries a job at once. Throws `conflict` where it is running or has ended. */
  tryNow: endpoint({
    method: 'POST',
    path: '/system/job/:id/try',
    access,
    changes: ['system'],
    input: z.object({ id }),
    output: z.object({}),
  }),
  /** Ends a job: its message is not sent, the records that its run has left are skipped. */
  giveUp: endpoint({
    method: 'POST',
    path: '/system/job/:id/give-up',
    access,
    changes: ['system', 'run'],
    input: z.object({ id }),
    output: z.object({}),
  }),
};
