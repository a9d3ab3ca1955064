import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { pageOf, paging } from '#kit/contract/paging.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { options } from '#kit/contract/text.ts';
import { path, shows, writers } from './words.ts';

/** Which recipients are listed. */
export const receiptFilters = ['all', 'unread', 'read', 'unacknowledged', 'acknowledged', 'failed'] as const;

const recipientKinds = options('Guardian', 'Staff');
/** What became of the latest message. */
const deliveryStates = options('Waiting', 'Sent', 'Delivered', 'Failed', 'Not sent', 'None');

const receipt = z.object({
  id: z.number(),
  kind: z.enum(recipientKinds),
  name: z.string(),
  /** The children that it concerns, with their sections. */
  children: z.array(z.string()),
  delivery: z.enum(deliveryStates),
  /** 'email' or 'sms'; '' without a message. */
  channel: z.string(),
  seenAt: z.string(),
  acknowledgedAt: z.string(),
  /** Was added after it was published. */
  isLater: z.boolean(),
});
export type Receipt = z.infer<typeof receipt>;

const show = z._default(z.enum(['', ...receiptFilters]), '');

/** The number of a text whose readers are listed; by default of all that count. */
const ofText = z._default(z.string().check(z.regex(/^[0-9]{0,4}$/)), '');

export const receiptApi = {
  list: endpoint({
    method: 'GET',
    path: `${path}/:id/receipt`,
    access: writers,
    shows,
    input: z.object({ id, show, text: ofText, after: paging.after, search: z._default(paging.search, '') }),
    output: pageOf(receipt),
  }),
  export: endpoint({
    method: 'GET',
    path: `${path}/:id/receipt/export`,
    access: writers,
    input: z.object({ id, show, text: ofText, as: z.enum(tableKinds) }),
    output: servedFile,
  }),
};
