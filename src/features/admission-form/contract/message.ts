import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/fields.ts';
import { formKeys, noInput, path } from './form.ts';

export const messageSent = 'The school has your message and will answer you.';
export const noContact =
  'The school has no mobile number or e-mail address of yours. Please keep the address of this page; it opens your form again.';
export const linkOnItsWay = 'Everything is kept. The same link is on its way to you.';
export const messageTexts = [messageSent, noContact, linkOnItsWay];

export const messageDraft = z.object({
  ...formKeys,
  /** What it is about, in the words of the screen. */
  about: text('About', 100),
  messageText: text('What is wrong, and what should it be?', 1000),
});

const output = z.object({ isSuccess: z.boolean(), message: z.string() });

export const messageApi = {
  /** A parent cannot change what the inquiry says, but can say that it is wrong. */
  toSchool: endpoint({
    method: 'POST',
    path: `${path}/message-to-school`,
    access: 'link',
    envelope: true,
    input: messageDraft,
    output,
  }),
  /** "Save and come back later": the same link again, to the contacts the inquiry holds and no others. */
  sendLink: endpoint({
    method: 'POST',
    path: `${path}/send-link`,
    access: 'link',
    envelope: true,
    input: noInput,
    output: z.extend(output, {
      /** Where it goes, masked: "98XXXXXX11". */
      sentTo: z.array(z.string()),
    }),
  }),
};
