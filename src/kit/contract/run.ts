import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { servedFile } from './served-file.ts';
import { options } from './text.ts';

export const rowResults = options('Waiting', 'Done', 'Skipped', 'Failed');

/** The most skipped and failed records that a run lists; its file has all. */
export const mostListed = 100;

const progress = z.object({
  id: z.number(),
  startedAt: z.iso.datetime(),
  isFinished: z.boolean(),
  /** Until it begins and can no longer be undone. */
  secondsLeft: z.number(),
  total: z.number(),
  done: z.number(),
  skipped: z.number(),
  failed: z.number(),
  /** Records that were skipped or failed, with the reason. */
  notDone: z.array(z.object({ id: z.number(), name: z.string(), result: z.enum(rowResults), reason: anyText })),
});
export type RunProgress = z.infer<typeof progress>;

/** The most runs that Admins see at once. */
export const mostRunsListed = 50;

const listed = z.object({
  id: z.number(),
  actor: z.string(),
  title: anyText,
  total: z.number(),
  /** The records that are still to be done. */
  left: z.number(),
  startedAt: z.iso.datetime(),
  isFinished: z.boolean(),
});

/** The operations of runs. A run is shown to the account that started it; `all` sees and stops every run. */
export const runOperations = (access: Access, all: Access) => ({
  list: endpoint({
    method: 'GET',
    path: '/run',
    access: all,
    shows: ['run'],
    input: z.object({}),
    output: z.object({ rows: z.array(listed) }),
  }),
  /** Skips what is left of a run. */
  stop: endpoint({
    method: 'POST',
    path: '/run/:id/stop',
    access: all,
    changes: ['run'],
    input: z.object({ id }),
    output: z.object({}),
  }),
  read: endpoint({
    method: 'GET',
    path: '/run/:id',
    access,
    shows: ['run'],
    input: z.object({ id }),
    output: progress,
  }),
  /** Undoes a run that has not begun. */
  cancel: endpoint({
    method: 'POST',
    path: '/run/:id/cancel',
    access,
    changes: ['run'],
    input: z.object({ id }),
    output: z.object({}),
  }),
  /** Every record with its result, as CSV. */
  result: endpoint({ method: 'GET', path: '/run/:id/result', access, input: z.object({ id }), output: servedFile }),
});
