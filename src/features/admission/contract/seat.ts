import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint, type OutputOf } from '#kit/contract/endpoint.ts';
import { field, inputOf, pick } from '#kit/contract/field.ts';
import { id, idAndVersion, optionalId, rule } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { options, text } from '#kit/contract/text.ts';
import { inquiryBranches, quotas } from './record.ts';

/** Who reads seats and decisions. */
export const processReaders = [staff('office', 'admissionHead', 'principal', 'accountant')] as const;
/** Who plans seats and decides. */
export const admissionHeads = [staff('admissionHead')] as const;

export const interactionKinds = options('None', 'Interaction', 'Assessment');
export type InteractionKind = (typeof interactionKinds)[number];
export type Quota = (typeof quotas)[number];

const mostGrades = 60;

/** What a row of the seat plan says; its place is fixed. */
export const seatFields = {
  total: field.number(text`Seats`, { least: 0, most: 2000 }),
  reserved: field.number(text`Reserved`, {
    least: 0,
    most: 2000,
    hint: text`Kept for children who come from the grade below.`,
  }),
  interaction: field.oneOf(text`Before an offer`, {
    options: interactionKinds,
    hint: text`RTE Act, section 13: no assessment below grade IX, and none for RTE seats.`,
  }),
  admissionFee: field.money(text`Admission fee (₹)`, {
    optional: true,
    hint: text`The amount that confirms a seat. Empty for none.`,
  }),
  offerDays: field.number(text`Days to answer an offer`, { least: 1, most: 60 }),
  opensOn: field.date(text`Open from`, { optional: true }),
  closesOn: field.date(text`Open until`, { optional: true }),
};
export const seatPlaceFields = {
  academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
  branchId: field.ref(text`Branch`, {
    to: { labelFields: ['name'], fields: {}, table: 'academic_branch', options: inquiryBranches },
  }),
  programId: field.ref(text`Program`, { to: namedBy(programMaster) }),
  gradeId: field.ref(text`Grade`, { to: namedBy(gradeMaster) }),
  quota: field.oneOf(text`Quota`, { options: quotas, isLegal: true }),
};

export const seatMessages = {
  oversold: text`These seats are already assigned. Add seats or free one.`,
  days: text`Enter a day that is not before “Open from”.`,
  rte: text`RTE seats have no interaction and no fee.`,
  once: text`This grade and quota have a row already.`,
  scores: text`Below grade IX a scored assessment is not allowed. A setting can allow it.`,
  used: text`Applications use these seats, so the row can’t be deleted. Set its seats to 0.`,
  place: text`This application has a seat or a place in a list. Use “Change class or quota” in Process Admission.`,
};

/** A row of the seat plan with its count. */
export const seatRow = z.object({
  id: z.number(),
  version: z.number(),
  academicYearId: z.number(),
  branchId: z.number(),
  branch: z.string(),
  programId: z.number(),
  program: z.string(),
  gradeId: z.number(),
  grade: z.string(),
  quota: z.enum(quotas),
  total: z.number(),
  reserved: z.number(),
  interaction: z.enum(interactionKinds),
  admissionFee: z.number(),
  offerDays: z.number(),
  opensOn: z.string(),
  closesOn: z.string(),
  isOpen: z.boolean(),
  /** Offers that are decided and not released. */
  held: z.number(),
  offered: z.number(),
  confirmed: z.number(),
  admitted: z.number(),
  /** Total less reserved and given. */
  free: z.number(),
  waiting: z.number(),
});
export type SeatRow = z.infer<typeof seatRow>;

/** A child of a waiting list for whom a seat is free. */
const offerToMake = z.object({
  id: z.number(),
  seatId: z.number(),
  child: z.string(),
  /** The day on which it was put on the list. */
  since: z.string(),
  sibling: z.string(),
  /** In percent; null without one, and for those who do not read scores. */
  score: z.nullable(z.number()),
});
export type OfferToMake = z.infer<typeof offerToMake>;
export const mostOffers = 200;

const path = '/admission/seat';
const seatShows = ['seat', 'process', 'grade', 'program', 'branch', 'year'];
const changes = ['seat', 'inquiry'];

const together = rule<{ opensOn: string; closesOn: string; reserved: number | null; total: number | null }>(
  ({ opensOn, closesOn, reserved = null, total = null }, say) => {
    if (opensOn && closesOn && closesOn < opensOn) say('closesOn', seatMessages.days);
    if (reserved !== null && total !== null && reserved > total) say('reserved', text`Reserve at most all seats.`);
  },
);

export const seatApi = {
  /** The seat plan of a year; without one, of the year that is open for admission. */
  list: endpoint({
    method: 'GET',
    path,
    access: processReaders,
    shows: seatShows,
    input: z.object({ academicYearId: optionalId }),
    output: z.object({
      year: z.nullable(z.object({ id: z.number(), name: z.string(), isClosed: z.boolean() })),
      years: z.array(z.object({ id: z.number(), name: z.string() })),
      rows: z.array(seatRow),
      /** As many of each waiting list as seats are free, in its order; the first two hundred. */
      offers: z.array(offerToMake),
      /** Rows that the sections propose and the plan lacks. */
      proposed: z.number(),
      may: abilities('plan'),
    }),
  }),
  /** The year that the admission pages show at first. */
  year: endpoint({
    method: 'GET',
    path: `${path}/year`,
    access: processReaders,
    shows: ['year', 'seat', 'inquiry', 'process'],
    input: z.object({}),
    output: z.object({
      id: z.nullable(z.number()),
      /** Forms that wait, by year, the earliest year first. */
      waiting: z.array(z.object({ id: z.number(), name: z.string(), toReview: z.number(), toDecide: z.number() })),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: admissionHeads,
    changes,
    input: z.object({ ...inputOf(seatPlaceFields), ...inputOf(seatFields) }).check(together),
    output: z.object({ id: z.number(), version: z.number() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: admissionHeads,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(seatFields) }).check(together),
    output: z.object({ id: z.number(), version: z.number() }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: admissionHeads,
    changes,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
  /** Adds a General row for each grade with sections that has none, with the seats of its sections. */
  propose: endpoint({
    method: 'POST',
    path: `${path}/propose`,
    access: admissionHeads,
    changes,
    input: z.object({ academicYearId: id, confirmToken }),
    output: previewed({
      rows: z.array(
        z.object({
          grade: z.string(),
          program: z.string(),
          branch: z.string(),
          total: z.number(),
          reserved: z.number(),
        }),
      ),
    }),
  }),
  /** Adds a row of one quota to several grades; grades that have one are skipped. */
  createMany: endpoint({
    method: 'POST',
    path: `${path}/many`,
    access: admissionHeads,
    changes,
    input: z
      .object({
        ...inputOf(pick(seatPlaceFields, 'academicYearId', 'branchId', 'programId', 'quota')),
        gradeIds: listOf(id, { least: 1, most: mostGrades, none: text`Choose at least one grade.` }),
        ...inputOf(seatFields),
      })
      .check(together),
    output: z.object({ added: z.number(), skipped: z.number() }),
  }),
};

export type SeatPlanOfYear = OutputOf<typeof seatApi.list>;
