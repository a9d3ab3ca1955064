import * as z from 'zod/mini';
import { anyText } from '#kit/contract/any-text.ts';
import { type Access, endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id } from '#kit/contract/fields.ts';
import { cardAnswer, cardOf } from '#kit/contract/served-card.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { periodFields, timelineOf } from '#kit/contract/timeline.ts';

/** Days that a report can be of, such as this term. */
const period = z.object({
  /** Its word in the address: month, term, year, or year-7 of an earlier one. */
  key: z.string(),
  label: anyText,
  from: z.string(),
  to: z.string(),
});
export type Period = z.infer<typeof period>;

export const reportCard = z.object({
  key: z.string(),
  title: anyText,
  isRestricted: z.optional(z.boolean()),
  /** A phone shows it on request. */
  isLater: z.optional(z.boolean()),
});
export type ReportCard = z.infer<typeof reportCard>;

/** At least a few words, so that the audit log says something. */
const reason = freeText(text`Reason`, 300);

export const cardKeys = z.array(z.string().check(z.maxLength(60))).check(z.minLength(1), z.maxLength(30));

/** What is the same in the reports of students and staff. Cards and events are those of the features' manifests. */
export const reportOf = <Head extends z.ZodMiniObject, const Allowed extends Access>(given: {
  path: string;
  access: Allowed;
  shows: readonly string[];
  /** The kind of record. */
  record: string;
  head: Head;
}) => {
  const { path, access, shows, record, head } = given;
  return {
    /** The head, the days to choose from, and the keys of the cards and events that the reader has. */
    read: endpoint({
      method: 'GET',
      path: `${path}/:id`,
      access,
      shows,
      opens: record,
      /** The head is of this day. */
      input: z.object({ id, to: z._default(calendarDay(text`To`, true), '') }),
      output: z.object({
        head,
        periods: z.array(period),
        cards: z.array(reportCard),
        kinds: z.array(z.object({ kind: z.string(), title: anyText })),
      }),
    }),
    card: cardOf(path, access, shows, record),
    timeline: timelineOf(path, access, shows, record),
    /** A restricted card. Each reading is audited with its reason. */
    open: endpoint({
      method: 'POST',
      path: `${path}/:id/card/:key`,
      access,
      opens: record,
      isReveal: true,
      changes: [],
      input: z.object({ id, key: z.string().check(z.maxLength(60)), ...periodFields, reason }),
      output: cardAnswer,
    }),
    /** Chosen cards as a PDF; a restricted card needs a reason. */
    paper: endpoint({
      method: 'POST',
      path: `${path}/:id/paper`,
      access,
      opens: record,
      isReveal: true,
      changes: [],
      ownTransactions: true,
      input: z.object({
        id,
        ...periodFields,
        cards: cardKeys,
        reason: z._default(z.string().check(z.maxLength(300)), ''),
      }),
      output: servedFile,
    }),
  };
};

/** The operations that cards and the timeline of either report call. */
export type ReportApi = Pick<ReturnType<typeof reportOf>, 'card' | 'timeline' | 'open' | 'paper'>;
