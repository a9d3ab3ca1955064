import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, oneOf, optionalEmail, optionalMobile, rule } from '#kit/contract/fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { proven } from './family.ts';

/** What shows that a number or address is the guardian's, where no code reaches the earlier one. */
export const contactPaper: UploadRule = {
  label: text`Photo of a paper`,
  kinds: ['pdf', 'png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PDF, PNG, JPG or JPEG file.`,
  tooLarge: text`File size exceeds 2MB`,
};

/** The way that is tried first: what the school uses, or one of its channels. */
const channels = options('Usual', 'SMS', 'Email');
export type WishedChannel = (typeof channels)[number];

// Functions, so that the family page, which sends no schema, leaves them out.
const isWholeNight = () =>
  rule<{ quietFrom: number | null; quietUntil: number | null }>(({ quietFrom, quietUntil }, say) => {
    if ((quietFrom === null) !== (quietUntil === null))
      say(quietFrom === null ? 'quietFrom' : 'quietUntil', text`Choose both hours, or neither.`);
  });

/** One of the two. */
const contact = () => ({
  mobile: optionalMobile(text`New mobile number`),
  email: optionalEmail(text`New email address`),
});

/** What a guardian changes about herself, on a proven phone. */
export const ownApi = {
  read: endpoint({
    method: 'GET',
    path: '/family/own',
    access: proven,
    input: z.object({}),
    output: z.object({
      /** The ends of what the school has; '' without it. */
      mobile: z.string(),
      email: z.string(),
      /** The end of a number or address that the school has not decided about; '' without one. */
      asked: z.string(),
      wishes: z.object({
        channel: z.enum(channels),
        quietFrom: z.nullable(z.number()),
        quietUntil: z.nullable(z.number()),
        getsHomework: z.boolean(),
        version: z.number(),
      }),
    }),
  }),
  /** How the guardian wants messages. */
  wish: endpoint({
    method: 'PUT',
    path: '/family/wish',
    access: proven,
    input: z
      .object({
        channel: oneOf(text`Way of messages`, channels),
        quietFrom: z.nullable(z.int().check(z.gte(18), z.lte(23))),
        quietUntil: z.nullable(z.int().check(z.gte(4), z.lte(10))),
        getsHomework: z.boolean(),
        version: z.int().check(z.gte(0), z.lte(2_147_483_647)),
      })
      .check(isWholeNight()),
    output: z.object({ version: z.number() }),
  }),
  /** Sends a code to the new number or address. */
  code: endpoint({
    method: 'POST',
    path: '/family/contact/code',
    access: proven,
    isRepeatable: true,
    input: z.object(contact()),
    output: z.object({}),
  }),
  /** Changes it by the code, on a phone that was proven just now. */
  change: endpoint({
    method: 'POST',
    path: '/family/contact',
    access: proven,
    ownTransactions: true,
    input: z.object({ code: freeText(text`Code`, 20) }),
    output: z.object({}),
  }),
  /** Asks the office, where the earlier number or address is lost. */
  ask: endpoint({
    method: 'POST',
    path: '/family/contact/request',
    access: proven,
    files: { paper: contactPaper },
    input: z.object(contact()),
    output: z.object({}),
  }),
};
