import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, mobile } from '#kit/contract/fields.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';

/** Operations behind a guardian's link; its value has this name in the query. */
export const behindLink = { link: 'family' } as const;

/** Operations for a guardian who has typed a code on this phone. */
export const proven = { link: 'family', isProven: true } as const;

/** What an address names instead of a link, on a phone that several guardians have proven: `of-17`. */
export const ofGuardian = (id: number): string => `of-${id}`;

const child = z.object({
  id: z.number(),
  /** The first name alone. */
  name: z.string(),
  /** '' without one. */
  section: z.string(),
  /** Without dues, bus and leave in school matters. */
  reach: z.enum(['All', 'School matters']),
});

export type PageChild = z.infer<typeof child>;

const page = z.object({
  guardian: z.string(),
  day: z.string(),
  /** The moment it was read. */
  at: z.string(),
  /** In which the guardian is written to; '' where nothing is known. */
  language: z.union([z.literal(''), z.enum(languageKeys)]),
  /** The last day of the link; '' where the phone's cookie opened the page. */
  until: z.string(),
  /** Whether this phone is proven, and how it may be: by a code to the stored number or address, or not. */
  proof: z.object({
    isProven: z.boolean(),
    way: z.enum(['SMS', 'Email', 'None']),
    /** The end of the number, or the address without most of its letters. */
    to: z.string(),
  }),
  children: z.array(child),
  /** What the features show, by their word. */
  parts: z.record(z.string(), z.unknown()),
});

export type FamilyPageData = z.infer<typeof page>;

export const renewalAnswer = text`If this link was yours, we sent a new link to the mobile number or email address the school has.`;

export const byNumberAnswer = text`If the school has this mobile number for you, we sent the link to your page to it.`;

export const familyApi = {
  /** Everything on the page of a guardian's link. */
  read: endpoint({ method: 'GET', path: '/family', access: behindLink, input: z.object({}), output: page }),
  /** Counts an opening; the page calls it when it is drawn, so that programs which check messages do not count. */
  opened: endpoint({
    method: 'POST',
    path: '/family/opened',
    access: behindLink,
    isRepeatable: true,
    input: z.object({}),
    output: z.object({}),
  }),
  /** The language of the guardian, for the page and for messages: by the link, since a wrong one is seen at once. */
  preference: endpoint({
    method: 'PUT',
    path: '/family/preference',
    access: behindLink,
    isRepeatable: true,
    input: z.object({ language: z.enum(languageKeys) }),
    output: z.object({}),
  }),
  /** Sends a code to the guardian's stored number or address, which proves this phone. */
  code: endpoint({
    method: 'POST',
    path: '/family/code',
    access: behindLink,
    isRepeatable: true,
    input: z.object({}),
    output: z.object({}),
  }),
  /** Proves this phone by the code. */
  prove: endpoint({
    method: 'POST',
    path: '/family/prove',
    access: behindLink,
    ownTransactions: true,
    input: z.object({ code: freeText(text`Code`, 20) }),
    output: z.object({}),
  }),
  /** Ends the proof of this phone, or of all others of the guardian. */
  signOut: endpoint({
    method: 'POST',
    path: '/family/sign-out',
    access: proven,
    isRepeatable: true,
    input: z.object({ others: z.boolean() }),
    output: z.object({}),
  }),
  /** Who else sees each child of whom the guardian sees all: relation and reach, without name or contact. */
  readers: endpoint({
    method: 'GET',
    path: '/family/reader',
    access: proven,
    input: z.object({}),
    output: z.array(
      z.object({
        id: z.number(),
        child: z.string(),
        relation: z.string(),
        reach: z.enum(['All', 'School matters']),
        getsMessages: z.boolean(),
      }),
    ),
  }),
  /** The guardians whose pages this phone opens without a link. */
  phone: endpoint({
    method: 'GET',
    path: '/family/phone',
    access: 'public',
    input: z.object({}),
    output: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
  /** Sends a new link to the guardian of an expired one, to the stored contact. It answers the same for every value. */
  renewal: endpoint({
    method: 'POST',
    path: '/family/renewal',
    access: 'public',
    isRepeatable: true,
    input: z.object({ value: freeText(text`Link`, 100) }),
    output: z.object({ message: z.string() }),
  }),
  /** Sends the links of the guardians whose stored number it is. It answers the same for every number. */
  byNumber: endpoint({
    method: 'POST',
    path: '/family/by-number',
    access: 'public',
    isRepeatable: true,
    input: z.object({ mobile: mobile(text`Mobile number`) }),
    output: z.object({ message: z.string() }),
  }),
};
