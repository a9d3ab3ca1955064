import * as z from 'zod/mini';
import { admin, signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionsInput } from '#kit/contract/field.ts';
import { id, idAndVersion, optionalFreeText } from '#kit/contract/fields.ts';
import { neededId } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { tagMaster, tagScopes } from './masters.ts';

export const tag = z.object({
  id: z.number(),
  name: z.string(),
  group: z.string(),
  colour: z.string(),
  isRestricted: z.boolean(),
});
export type Tag = z.infer<typeof tag>;

/** The most tags offered in one answer. */
export const mostTags = 200;

/** What a filter by tag asks for. */
export const tagOptionsInput = z.object(optionsInput);

const path = `${tagMaster.path}/:id/merge`;

export const tagApi = {
  /** The tags a user may add to a kind of record, found also by the names of merged tags. */
  offer: endpoint({
    method: 'GET',
    path: `${tagMaster.path}/offer`,
    access: signedIn,
    shows: ['tag', 'tag-group'],
    input: z.object({ scope: z.enum(tagScopes), search: optionalFreeText(text`Search`, 100) }),
    output: z.array(tag),
  }),
  /** The tags that one can be merged into, with the number of affected records. */
  mergeable: endpoint({
    method: 'GET',
    path,
    access: [admin()],
    shows: ['tag', 'tag-group'],
    input: z.object({ id }),
    output: z.object({
      /** The number of records with the tag. */
      links: z.number(),
      tags: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          group: z.string(),
          /** The number of these records that have the other tag too. */
          alreadyThere: z.number(),
        }),
      ),
    }),
  }),
  /** Moves all records of one tag to another, and makes its name an alias. */
  merge: endpoint({
    method: 'POST',
    path,
    access: [admin()],
    changes: ['tag'],
    input: z.object({ ...idAndVersion, intoId: neededId(text`Tag to keep`) }),
    output: z.object({ moved: z.number(), alreadyThere: z.number() }),
  }),
};
