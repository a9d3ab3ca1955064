import * as z from 'zod/mini';
import { feeReaders } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { options, text } from '#kit/contract/text.ts';

/** What happened to a change: it is saved, or kept until a second person decides. */
const saveStates = options('Saved', 'Asked');
/** The id is 0 for a new record that is asked for. */
export const savedOrAsked = z.object({ id: z.number(), version: z.number(), status: z.enum(saveStates) });
export type SavedOrAsked = z.infer<typeof savedOrAsked>;

/** The kinds of records whose changes a second person decides. */
export const proposalKinds = options(
  'Discount',
  'Fee head',
  'Late fine rule',
  'Receipt series',
  'Bank account',
  'Setting',
  'Slab price',
  'Free seat',
);

/** A change that waits for a second person. */
export const waitingChange = z.object({
  id: z.number(),
  /** Null for a new record. */
  subjectId: z.nullable(z.number()),
  name: z.string(),
  lines: z.array(z.object({ label: z.string(), from: z.string(), to: z.string() })),
  askedBy: z.string(),
  askedOn: z.string(),
});
export type WaitingChange = z.infer<typeof waitingChange>;

export const proposalApi = {
  /** The changes of a kind that wait for a second person. */
  list: endpoint({
    method: 'GET',
    path: '/fee/proposal',
    access: feeReaders,
    shows: ['fee-proposal'],
    input: z.object({ kind: z.enum(proposalKinds) }),
    output: z.object({ rows: z.array(waitingChange) }),
  }),
};

export const proposalMessages = {
  waits: text`A change of this waits for a second person already.`,
  changed: text`It has changed since. Ask again.`,
};
