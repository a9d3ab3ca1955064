import * as z from 'zod/mini';
import { type Access, endpoint } from './endpoint.ts';
import { freeText, id, tick } from './fields.ts';
import { listOf } from './list.ts';
import { text } from './text.ts';

/** The most records that one bulk act takes. */
export const mostSelected = 5000;

/** The ids of an export's records joined by commas; all that match the filters by default. */
export const someIds = z._default(z.string().check(z.regex(/^([0-9]{1,9}(,[0-9]{1,9}){0,499})?$/)), '');

/** A list's filters, sort and shown columns under a name. */
const view = z.object({
  id: z.number(),
  name: z.string(),
  isShared: z.boolean(),
  isOwn: z.boolean(),
  address: z.record(z.string(), z.string()),
  columns: z.array(z.string()),
});
export type ListView = z.infer<typeof view>;

const viewDraft = {
  name: freeText(text`Name`, 60),
  isShared: tick(text`Share with everyone who uses this list`),
  address: z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(200))),
  columns: listOf(z.string().check(z.maxLength(40)), { most: 60 }),
};

/** The chosen records of a list: by id, or all that match a query, without some. */
export const selection = z.object({
  ids: z._default(listOf(id, { most: mostSelected }), []),
  /** All that match; `ids` are then the exceptions. */
  isAll: z._default(z.boolean(), false),
  query: z._default(z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(200))), {}),
});
export type Selection = z.infer<typeof selection>;

/** The operations of a list's named views. */
export function viewOperations(list: string, path: string, access: Access) {
  const viewWord = `view-${list}`;
  return {
    /** The user's own views and the shared ones, without filters and columns that the list no longer has. */
    views: endpoint({
      method: 'GET',
      path: `${path}/view`,
      access,
      shows: [viewWord],
      input: z.object({}),
      output: z.array(view),
    }),
    /** Saves the user's view of this name, or replaces it. Only an Admin shares one. */
    saveView: endpoint({
      method: 'POST',
      path: `${path}/view`,
      access,
      changes: [viewWord],
      input: z.object(viewDraft),
      output: z.object({ id: z.number() }),
    }),
    /** Removes the user's own view; an Admin removes shared ones too. */
    removeView: endpoint({
      method: 'DELETE',
      path: `${path}/view/:id`,
      access,
      changes: [viewWord],
      input: z.object({ id }),
      output: z.object({}),
    }),
  };
}
