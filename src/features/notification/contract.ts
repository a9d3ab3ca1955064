import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalId } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';

const notification = z.object({
  id: z.number(),
  /** Whom it is about, as far as the reader may see them; '' for none. */
  about: z.string(),
  text: anyText,
  /** The page where it is done, with its query. */
  path: z.string(),
  at: z.iso.datetime(),
  isRead: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/** The most reports in one request. */
export const mostReports = 200;
const mostId = 2_147_483_647;
/** The letters that are kept of a reason. */
const mostReason = 100;

/** A row of what a gateway reports. */
export const messageReport = z.object({
  /** Our id of the message, which the gateway got as `{id}`. */
  id: z.int().check(z.gte(1), z.lte(mostId)),
  state: z.enum(['Accepted', 'Failed', 'Delivered', 'Read']),
  /** In the gateway's words, such as "absent subscriber". */
  reason: z._default(
    z.pipe(
      z.string(),
      z.transform((reason) => [...reason.replaceAll('\u0000', '').toWellFormed()].slice(0, mostReason).join('')),
    ),
    '',
  ),
  /** The number does not exist: no further message is tried. */
  isFinal: z._default(z.boolean(), false),
});

export const messageApi = {
  /**
   * What a gateway reports of text messages that it took: `{ reports: [...] }` in JSON, the same list in a form’s field `reports`,
   * or a form with the fields of one report. A row that can’t be read is left out, and the others count.
   */
  report: endpoint({
    method: 'POST',
    path: '/message/report/:secret',
    access: 'public',
    isRepeatable: true,
    isRaw: true,
    input: z.object({ secret: z.string().check(z.maxLength(100)) }),
    output: z.object({}),
  }),
};

const path = '/notice';
const access = signedIn;
const unread = z.object({ unread: z.number() });

/** The most notifications that one request marks as read by their ids. */
const mostMarked = 100;

/** What has become the user's own to do. */
export const notificationApi = {
  /** The newest first, or those older than the one with the id `before`. */
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['notification'],
    input: z.object({ before: optionalId }),
    output: z.object({
      rows: z.array(notification),
      unread: z.number(),
      /** The `before` of the older ones; null where there are none. */
      next: z.nullable(z.number()),
    }),
  }),
  unread: endpoint({
    method: 'GET',
    path: `${path}/unread`,
    access,
    isBackground: true,
    shows: ['notification'],
    input: z.object({}),
    output: unread,
  }),
  /** Marks some as read, or all up to one: a newer notification that the user has not seen stays unread. */
  read: endpoint({
    method: 'POST',
    path: `${path}/read`,
    access,
    changes: ['notification'],
    isRepeatable: true,
    input: z.object({ ids: z._default(listOf(id, { most: mostMarked }), []), upTo: optionalId }),
    output: unread,
  }),
};
