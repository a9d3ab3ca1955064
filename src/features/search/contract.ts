import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import type { Page, PageAct, PageTab } from '#kit/contract/page.ts';
import { paging } from '#kit/contract/paging.ts';
import type { Text } from '#kit/contract/text.ts';

const hit = z.object({
  id: z.number(),
  title: z.string(),
  detail: z.string(),
  /** Why it is not like the others, such as the day a person left. */
  note: z.optional(anyText),
  /** Its page, below /school-erp. */
  to: z.string(),
  /** How well it matches: 2 by whole words, 1 by beginnings of words, less by similar words. */
  closeness: z.optional(z.number()),
});

const group = z.object({
  kind: z.string(),
  title: anyText,
  hits: z.array(hit),
  /** Where all of them are, below /school-erp, if there may be more. */
  all: z.optional(z.string()),
});
export type FoundGroup = z.infer<typeof group>;

/** A page that search offers beside the records. */
export interface SearchedPage {
  page: Page;
  /** A part of the page in a tab. */
  tab?: PageTab;
  /** Something to do on the page. */
  act?: PageAct;
  /** The title of its menu group, if it has one; for a tab or an act, the title of its page. */
  group?: Text;
}

/** A shorter search finds nothing. */
export const leastSearched = 2;

export const searchApi = {
  /** The best records of each kind, or of one, that match and that the user may see, the kind of the best one first. */
  find: endpoint({
    method: 'GET',
    path: '/search',
    access: signedIn,
    shows: ['staff', 'staff-record', 'designation', 'department', 'student', 'section', 'grade', 'year'],
    input: z.object({ search: paging.search, kind: z._default(z.string().check(z.maxLength(40)), '') }),
    output: z.array(group),
  }),
};
