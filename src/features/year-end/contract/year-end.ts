import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, optionalId } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';

const readers = [admin(), staff('office', 'principal', 'accountant')];
const changes = ['year'] as const;

const line = z.object({
  key: z.string(),
  title: anyText,
  at: z.enum(['blocks', 'warns', 'says']),
  fate: anyText,
  act: anyText,
  /** Null where it could not be counted. */
  open: z.nullable(z.number()),
  of: z.optional(z.number()),
  /** Paise, for those who read amounts. */
  amount: z.optional(z.number()),
  names: z.array(anyText),
  /** It is about the next year. */
  isOfNext: z.optional(z.boolean()),
  /** The page that lists them, below the shell; '' for none. */
  to: z.string(),
});
export type OpenLine = z.infer<typeof line>;

const year = z.object({
  id: z.number(),
  name: z.string(),
  endsOn: z.string(),
  phase: z.enum(['Planned', 'Current', 'Ended', 'Closed']),
});

/** Something that was closed or reopened, and what stood open then. */
const event = z.object({
  id: z.number(),
  year: z.string(),
  kind: z.enum(['Closed', 'Reopened']),
  reason: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
  open: z.array(z.object({ title: anyText, open: z.number() })),
});

export const yearEndApi = {
  /** What a year still has open, for the caller's branches; without one, of the first year that has ended and is open. */
  read: endpoint({
    method: 'GET',
    path: '/year-end',
    access: readers,
    shows: ['year', 'student-record', 'approval', 'attendance', 'homework', 'section', 'section-teacher'],
    input: z.object({ yearId: optionalId }),
    output: z.object({
      year: z.nullable(year),
      /** Days since its last day. */
      endedFor: z.number(),
      /** The year after it; null while none is made. */
      next: z.nullable(z.object({ id: z.number(), name: z.string() })),
      lines: z.array(line),
    }),
  }),
  /** Years that were closed and reopened, the latest first. */
  closed: endpoint({
    method: 'GET',
    path: '/year-end/closed',
    access: readers,
    shows: ['year'],
    input: z.object({}),
    output: z.object({
      events: z.array(event),
      /** The year that was closed last, which alone can be reopened. */
      last: z.nullable(z.object({ id: z.number(), name: z.string() })),
    }),
  }),
  /** Closes a year that has ended. Refused while a line blocks, or one that warns is not among `seen`. */
  close: endpoint({
    method: 'POST',
    path: '/year-end/:id/close',
    access: [admin()],
    changes,
    isConfirmed: true,
    isReported: true,
    input: z.object({ id, seen: z.array(z.string().check(z.maxLength(60))).check(z.maxLength(100)), confirmToken }),
    output: previewed({
      /** Lines that keep it open: they block, or nobody has seen them. */
      kept: z.array(line),
      /** Lines that are left open. */
      left: z.array(line),
    }),
  }),
  /** Opens the year that was closed last. The year of today remains the same. */
  reopen: endpoint({
    method: 'POST',
    path: '/year-end/:id/reopen',
    access: [admin()],
    changes,
    isConfirmed: true,
    isReported: true,
    input: z.object({ id, reason: freeText(text`Reason`, 250) }),
    output: z.object({}),
  }),
};
