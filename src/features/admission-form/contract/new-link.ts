import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { path, spoken } from './form.ts';

// As loose as an address of the fields: only a message sent there proves more.
const contactShape = {
  test: (value: string) => /^[+0-9 .()-]{10,20}$/.test(value) || /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(value),
};

const newLinkDraft = z.object({
  contact: freeText(text`Mobile number or email address`, 100, {
    like: contactShape,
    unlike: text`Enter the mobile number or email address you gave the school.`,
  }),
});

export const newLinkAnswer = text`If the school has this mobile number or email address, we sent a new link to it.`;

export const newLinkApi = {
  newLink: endpoint({
    method: 'POST',
    path: `${path}/new-link`,
    access: 'public',
    envelope: true,
    input: newLinkDraft,
    output: z.object(spoken),
  }),
};
