import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { formKeys, path } from './form.ts';

/** The forms of the five pages that keep what is typed; two of them stand on a page beside its own. */
export const draftPages = [
  'basic-info',
  'parent-info',
  'education-history',
  'health',
  'additional-info',
  'documents',
  'language',
] as const;
export type DraftPage = (typeof draftPages)[number];

const page = z.enum(draftPages);
const number = z.int().check(z.gte(0), z.lte(2_000_000_000));

/** Answers as they stand in the boxes, valid or not. Names that are no question of the page are not kept. */
const answers = z.record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]));

const draft = z.object({
  /** The last number given; 0 where nothing was ever kept. */
  number: z.number(),
  savedDateTime: z.nullable(z.string()),
  visit: z.string(),
  /** Null where nothing is kept, also once the page itself was saved. */
  answers: z.nullable(answers),
});

const output = z.object({ isSuccess: z.boolean(), message: z.string(), data: draft });
const url = `${path}/draft/:page`;

export const draftApi = {
  read: endpoint({
    method: 'GET',
    path: url,
    access: 'link',
    envelope: true,
    input: z.object({ ...formKeys, page }),
    output,
  }),
  keep: endpoint({
    method: 'PUT',
    path: url,
    access: 'link',
    envelope: true,
    isRepeatable: true,
    input: z.object({
      ...formKeys,
      page,
      /** Grows with every sending of one visit; what comes late is dropped. */
      number: number.check(z.gte(1)),
      /** The number this visit last saw; another visit's later one is a conflict, answered 409 `stale`. */
      basedOn: number,
      /** One page load of one device. */
      visit: z.string().check(z.regex(/^[0-9a-f-]{8,40}$/)),
      answers,
    }),
    output,
  }),
};
