import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { periodFields } from './timeline.ts';

/** The cards of a record that its reader has, in the answer of the record's head. */
export const shownCards = z.array(
  z.object({
    key: z.string(),
    part: z.string(),
    order: z.number(),
    title: anyText,
    /** What it says is read below the record's address, by its key. */
    isServed: z.boolean(),
    /** What it says is read with a reason. */
    isRestricted: z.optional(z.boolean()),
  }),
);
export type ShownCard = z.infer<typeof shownCards>[number];

/** The most that the top of a record says. */
export const mostToday = 4;

/** What is so today, in four words or less, with a line below it. */
export const todayFact = z.object({
  label: anyText,
  value: anyText,
  detail: anyText,
  /** The detail is of something late. */
  isLate: z.boolean(),
});
export type TodayFact = z.infer<typeof todayFact>;

/** The most that a record lists. */
export const mostNext = 8;

/** What is to be done next about a record, with the page where it is done. */
export const nextAct = z.object({
  title: anyText,
  /** What of it is to be done, in a word or two. */
  about: anyText,
  detail: anyText,
  /** Its day has passed. */
  isLate: z.boolean(),
  to: z.string(),
});
export type NextAct = z.infer<typeof nextAct>;

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

/** The colours of a chart's series: the school's, or those of a tone. */
const chartTones = ['accent', 'good', 'warn', 'bad', 'info'] as const;
/** How the values of a chart are shown: amounts are paise, and percentages hundredths of a percent. */
const chartUnits = ['number', 'money', 'percent'] as const;
const mostPoints = 62;
const mostSeries = 3;

/** Values side by side as bars, or their course as lines. */
export const chart = z.object({
  kind: z.enum(['bars', 'line']),
  /** The whole of it in a sentence. */
  says: anyText,
  unit: z.enum(chartUnits),
  /** What the points are, as the head of their column in the table: the month. */
  head: anyText,
  series: z.array(z.object({ label: anyText, tone: z.enum(chartTones) })).check(z.maxLength(mostSeries)),
  /** The values of each point in the order of the series; null leaves a gap. */
  points: z.array(z.object({ label: anyText, values: z.array(z.nullable(z.number())) })).check(z.maxLength(mostPoints)),
});
export type Chart = z.infer<typeof chart>;

/** What a card says. Pages of records and reports draw the same. */
export const cardAnswer = z.object({
  /** The day to which it is complete; '' where it is of no day. */
  asOf: z.string(),
  facts: z.array(z.object({ label: anyText, value: anyText })).check(z.maxLength(mostFacts)),
  /** Its table is then folded below it. */
  strip: z.optional(strip),
  /** With a table of its own below it. */
  chart: z.optional(chart),
  table: z.nullable(
    z.object({ heads: z.array(anyText), rows: z.array(z.array(anyText)).check(z.maxLength(mostRows)) }),
  ),
  /** Drawn in the place of the table, which papers print. */
  people: z.optional(
    z
      .array(z.object({ name: z.string(), relation: z.string(), mobile: z.string(), detail: anyText }))
      .check(z.maxLength(mostRows)),
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
      /** The days that it counts. */
      ...periodFields,
    }),
    output: cardAnswer,
  });
export type CardEndpoint = ReturnType<typeof cardOf>;

/** Reads what is so today of a record, in the order of its cards; its path is below the record's own. */
export const todayOf = (path: string, access: Access, shows: readonly string[], opens: string) =>
  endpoint({
    method: 'GET',
    path: `${path}/:id/today`,
    access,
    shows,
    opens,
    input: z.object({ id }),
    output: z.array(todayFact).check(z.maxLength(mostToday)),
  });
/** Reads what is to be done next about a record, late first; its path is below the record's own. */
export const nextOf = (path: string, access: Access, shows: readonly string[], opens: string) =>
  endpoint({
    method: 'GET',
    path: `${path}/:id/next`,
    access,
    shows,
    opens,
    input: z.object({ id }),
    output: z.array(nextAct).check(z.maxLength(mostNext)),
  });
export type TodayEndpoint = ReturnType<typeof todayOf>;
