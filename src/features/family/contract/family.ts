import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText } from '#kit/contract/fields.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';

/** Operations behind a guardian's link; its value has this name in the query. */
export const behindLink = { link: 'family' } as const;

const child = z.object({
  id: z.number(),
  /** The first name alone. */
  name: z.string(),
  /** '' without one. */
  section: z.string(),
});

export type PageChild = z.infer<typeof child>;

const page = z.object({
  guardian: z.string(),
  day: z.string(),
  /** The moment it was read. */
  at: z.string(),
  /** In which the guardian is written to; '' where nothing is known. */
  language: z.enum(['', ...languageKeys]),
  /** The last day of the link. */
  until: z.string(),
  children: z.array(child),
  /** What the features show, by their word. */
  parts: z.record(z.string(), z.unknown()),
});

export type FamilyPageData = z.infer<typeof page>;

export const renewalAnswer = text`If this link was yours, we sent a new link to the mobile number or email address the school has.`;

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
  /** Sends a new link to the guardian of an expired one, to the stored contact. It answers the same for every value. */
  renewal: endpoint({
    method: 'POST',
    path: '/family/renewal',
    access: 'public',
    isRepeatable: true,
    input: z.object({ value: freeText(text`Link`, 100) }),
    output: z.object({ message: z.string() }),
  }),
};
