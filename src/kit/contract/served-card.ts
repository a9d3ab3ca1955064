import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { calendarDay } from './shell-fields.ts';
import { text } from './text.ts';

/** The cards of a record that its reader has, in the answer of the record's head. */
export const shownCards = z.array(
  z.object({
    key: z.string(),
    part: z.string(),
    order: z.number(),
    title: anyText,
    /** What it says is read below the record's address, by its key. */
    isServed: z.boolean(),
  }),
);
export type ShownCard = z.infer<typeof shownCards>[number];

const mostFacts = 6;
const mostRows = 12;
const mostCells = 31;

/** What a cell of a strip means; each has a colour, and a mark where it is not `good`. */
export const stripTones = ['good', 'warn', 'bad', 'info', 'none'] as const;

/** A row of days, each in the colour of what it was. */
export const strip = z.object({
  /** The whole of it in a sentence. */
  says: anyText,
  cells: z
    .array(z.object({ day: z.string(), tone: z.enum(stripTones), mark: z.string().check(z.maxLength(3)) }))
    .check(z.maxLength(mostCells)),
});
export type Strip = z.infer<typeof strip>;

/** What a card says. Pages of records and reports draw the same. */
export const cardAnswer = z.object({
  /** The day to which it is complete; '' where it is of no day. */
  asOf: z.string(),
  facts: z.array(z.object({ label: anyText, value: anyText })).check(z.maxLength(mostFacts)),
  /** Its table is then folded below it. */
  strip: z.optional(strip),
  table: z.nullable(
    z.object({ heads: z.array(anyText), rows: z.array(z.array(anyText)).check(z.maxLength(mostRows)) }),
  ),
  /** The address of the page with the whole of it, with its search; '' for none. */
  to: z.string(),
  /** What it says where it has neither facts nor rows. */
  empty: anyText,
});
export type CardAnswer = z.infer<typeof cardAnswer>;

/** Reads one served card of a record; its path is below the record's own. */
export const cardOf = (path: string, access: Access, shows: readonly string[], opens: string) =>
  endpoint({
    method: 'GET',
    path: `${path}/:id/card/:key`,
    access,
    shows,
    opens,
    input: z.object({
      id,
      key: z.string().check(z.maxLength(60)),
      /** The days that it counts; the card chooses where they are empty. */
      from: z._default(calendarDay(text`From`, true), ''),
      to: z._default(calendarDay(text`To`, true), ''),
    }),
    output: cardAnswer,
  });
export type CardEndpoint = ReturnType<typeof cardOf>;
