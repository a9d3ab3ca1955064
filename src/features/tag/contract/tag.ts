import * as z from 'zod/mini';
import { admin, signedIn } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, optionalText } from '#kit/contract/fields.ts';
import { neededId } from '#kit/contract/shell-fields.ts';
import { tagMaster, tagScopes } from './masters.ts';

export const tag = z.object({
  id: z.number(),
  name: z.string(),
  group: z.string(),
  colour: z.string(),
  isRestricted: z.boolean(),
});
export type Tag = z.infer<typeof tag>;

/** How many tags are offered at once. */
export const mostTags = 200;

const path = `${tagMaster.path}/:id/merge`;

export const tagApi = {
  /** The tags that whoever asks may give to a kind of record; found by their names, and by those merged into them. */
  offer: endpoint({
    method: 'GET',
    path: `${tagMaster.path}/offer`,
    access: signedIn,
    shows: ['tag', 'tag-group'],
    input: z.object({ scope: z.enum(tagScopes), search: optionalText('Search', 100) }),
    output: z.array(tag),
  }),
  /** Which tags one can be merged into, and what that would do. */
  mergeable: endpoint({
    method: 'GET',
    path,
    access: [admin()],
    shows: ['tag', 'tag-group'],
    input: z.object({ id }),
    output: z.object({
      /** How many records have the tag. */
      links: z.number(),
      tags: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          group: z.string(),
          /** How many of the records have this one, too. */
          alreadyThere: z.number(),
        }),
      ),
    }),
  }),
  /** Gives all that have one tag another one, and has its name lead there. */
  merge: endpoint({
    method: 'POST',
    path,
    access: [admin()],
    changes: ['tag'],
    input: z.object({ id, version: id, intoId: neededId('Into') }),
    output: z.object({ moved: z.number(), alreadyThere: z.number() }),
  }),
};
