import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { formKeys, path, spoken } from './form.ts';

/** The forms of the five pages that keep drafts; two pages have a second form. */
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

/** Answers as typed, valid or not. Names that are no question of the page are dropped. */
const answers = z.record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]));

const draft = z.object({
  /** The last number; 0 where there was never a draft. */
  number: z.number(),
  savedDateTime: z.nullable(z.string()),
  visit: z.string(),
  /** Null without a draft, and after the page was saved. */
  answers: z.nullable(answers),
});

const output = z.object({ ...spoken, data: draft });
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
      /** Grows with every request of one visit; a late one is dropped. */
      number: number.check(z.gte(1)),
      /** The last number this visit saw; a higher one of another visit is a conflict, answered 409 `stale`. */
      basedOn: number,
      /** One page load of one device. */
      visit: z.string().check(z.regex(/^[0-9a-f-]{8,40}$/)),
      answers,
    }),
    output,
  }),
};
