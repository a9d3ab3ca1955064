import * as z from 'zod/mini';
import { optionalText } from './fields.ts';

/** What every list takes: words to look for, and where to go on. `after` is what the page before gave as `next`. */
export const paging = {
  search: optionalText('Search', 100),
  after: z._default(z.string().check(z.maxLength(500)), ''),
};

/** Rows of one page; the count is exact up to a thousand (decision 11). */
export const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ rows: z.array(row), next: z.nullable(z.string()), total: z.number(), isMore: z.boolean() });
