import * as z from 'zod/mini';
import { optionalFreeText } from './fields.ts';
import { text } from './text.ts';

const place = z._default(z.string().check(z.maxLength(4000)), '');

/** The place after the last row, for the last page. */
export const end = 'end';

/** The input of every list: search words, and the page: `after` is a page's `next`, `before` its `previous`. */
export const paging = {
  search: optionalFreeText(text`Search`, 100),
  after: place,
  before: place,
  /** Counts every match, however many. */
  countsAll: z._default(z.enum(['', 'yes']), ''),
};

/** Rows of one page; the count is exact up to a thousand. */
export const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    rows: z.array(row),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
    total: z.number(),
    isMore: z.boolean(),
  });
