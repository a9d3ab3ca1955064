import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText } from '#kit/contract/fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { formKeys, path, spoken } from './form.ts';

export const messageSent = text`The school has your message and will reply to you.`;
export const noContact = text`The school has no mobile number or email address for you. Save this page’s web address to open your form again.`;

/** The headings beside which a family can write, as they are stored: the school reads English. */
const headings = options('Basic details', 'Father', 'Mother', 'Sibling Name');
export type MessageHeading = (typeof headings)[number];

const messageDraft = z.object({
  ...formKeys,
  /** The heading or label beside which it was written. */
  about: freeText(text`About`, 100),
  messageText: freeText(text`What is wrong, and what should it be?`, 1000),
});

export const messageApi = {
  /** A parent cannot change what the inquiry says, but can say that it is wrong. */
  toSchool: endpoint({
    method: 'POST',
    path: `${path}/message-to-school`,
    access: 'link',
    envelope: true,
    input: messageDraft,
    output: z.object(spoken),
  }),
};
