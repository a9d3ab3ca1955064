import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, id, optionalId } from '#kit/contract/fields.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';
import { registerAccess, slots } from './register.ts';

/** A month as 2026-10; '' for the current one. */
const month = z._default(
  z.string().check(z.regex(/^([0-9]{4}-(0[1-9]|1[0-2]))?$/, because(text`Choose a month.`))),
  '',
);

const totals = z.object({
  /** Days, in which half days count as 0.5. */
  present: z.number(),
  absent: z.number(),
  late: z.number(),
  halfDay: z.number(),
  leave: z.number(),
  onDuty: z.number(),
  days: z.number(),
  /** Null where nothing was taken. */
  perMille: z.nullable(z.number()),
});
export type MonthTotals = z.infer<typeof totals>;

const child = z.object({
  studentId: z.number(),
  rollNo: z.nullable(z.number()),
  name: z.string(),
  /** For each day: its code, or those of both halves, '' without a mark; null where the child was not in this section. */
  marks: z.array(z.nullable(z.array(z.string()))),
  /** The places of marks that another section made. */
  elsewhere: z.array(z.number()),
  /** The enrolment was cancelled since the child never came, so that the marks count nowhere. */
  isNeverJoined: z.boolean(),
  totals,
  yearPerMille: z.nullable(z.number()),
});
export type MonthChild = z.infer<typeof child>;

const day = z.object({
  day: z.string(),
  kind: z.string(),
  name: z.string(),
  work: z.number(),
  /** The registers of the day. */
  slots: z.array(z.object({ slot: z.enum(slots), isTaken: z.boolean() })),
  /** All of them are taken. */
  isTaken: z.boolean(),
  isPast: z.boolean(),
  /** Children present in this section’s register, on average of both. */
  present: z.number(),
  boys: z.number(),
  girls: z.number(),
});
export type MonthDay = z.infer<typeof day>;

const matrix = z.object({
  today: z.string(),
  month: z.string(),
  sections: z.array(z.object({ id: z.number(), name: z.string() })),
  section: z.nullable(z.object({ id: z.number(), name: z.string() })),
  days: z.array(day),
  codes: z.array(z.object({ code: z.string(), name: z.string(), kind: z.string() })),
  children: z.array(child),
  /** Percentages below these are red and amber. */
  low: z.number(),
  near: z.number(),
  perMille: z.nullable(z.number()),
  yearPerMille: z.nullable(z.number()),
});
export type MonthMatrix = z.infer<typeof matrix>;

/** The marks of a day in one cell: of two halves each, where they differ. */
export function shownMarks(halves: readonly string[] | null): string {
  const [first = '', second = first] = halves ?? [];
  return first === second ? first : [first, second].map((code) => code || '–').join('/');
}

export const monthApi = {
  /** The marks of a section in a month, with the totals of each child. */
  read: endpoint({
    method: 'GET',
    path: '/attendance/month',
    access: registerAccess,
    shows: ['attendance', 'approval', 'student', 'section', 'year'],
    input: z.object({ sectionId: optionalId, month }),
    output: matrix,
  }),
  /** The register of the month: a workbook or CSV of what the page shows, or a paper in the order of GR numbers. */
  export: endpoint({
    method: 'GET',
    path: '/attendance/month/file',
    access: registerAccess,
    input: z.object({ sectionId: id, month, as: z.enum(tableKinds) }),
    output: servedFile,
  }),
};
