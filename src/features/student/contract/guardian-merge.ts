import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, freeText, id } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { knownAdult } from './guardian.ts';
import { mergeField, mergeSum } from './merge.ts';
import { changes, shows } from './record.ts';

const path = '/guardian';

/** One of the two records of an adult. */
const adultHead = z.object({
  ...knownAdult.shape,
  version: z.number(),
  mobile: z.string(),
  email: z.string(),
  /** Whether a link of a family page works. */
  hasLink: z.boolean(),
});
export type AdultHead = z.infer<typeof adultHead>;

export const guardianMergeApi = {
  /** The adults who may be this one: of the name and number, or of the name at the same child. */
  doubts: endpoint({
    method: 'GET',
    path: `${path}/:id/double`,
    access: studentKeepers,
    shows,
    opens: 'guardian',
    input: z.object({ id }),
    output: z.object({ name: z.string(), adults: z.array(z.object({ ...knownAdult.shape, mobile: z.string() })) }),
  }),
  /** Two records side by side; the one that is proposed to be kept comes first. */
  compare: endpoint({
    method: 'GET',
    path: `${path}/:id/merge`,
    access: studentKeepers,
    shows,
    opens: 'guardian',
    input: z.object({ id, with: id, keeps: chosenId(text`Kept record`) }),
    output: z.object({ kept: adultHead, retired: adultHead, fields: z.array(mergeField) }),
  }),
  /** Merges two records of one adult after a preview. */
  merge: endpoint({
    method: 'POST',
    path: `${path}/:id/merge`,
    access: studentKeepers,
    opens: 'guardian',
    changes,
    input: z.object({
      /** The record that is kept. */
      id,
      retiredId: id,
      taken: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(60)),
      reason: freeText(text`Reason`, 300),
      confirmToken,
    }),
    output: previewed({ sums: z.array(mergeSum), texts: z.array(anyText), blocks: z.array(anyText) }),
  }),
};
