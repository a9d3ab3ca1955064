import * as z from 'zod/mini';
import { feeDeciders, feeReaders, feeWriters } from '#access/contract/grants.ts';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { choices } from '#features/student/contract/record.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion, rule } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { money } from '#kit/contract/money.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { units } from './frequency.ts';
import { everyMonth } from './split.ts';

export const structureStates = options('Draft', 'Waiting for approval', 'Published', 'Superseded');
export type StructureState = (typeof structureStates)[number];
const admissionTypes = options('All students', 'New students', 'Existing students');

const mostLines = 40;
const mostGrades = 30;
export const mostPublished = 100;

export const structureMessages = {
  noGrades: text`Choose at least one grade.`,
  manyLines: text`Use at most ${{ mostLines }} fee heads.`,
  sameHead: text`This fee head is in the list already.`,
  published: text`Published prices can’t be changed. Create a new version.`,
  taken: text`Another published structure has prices for one of these grades.`,
  takenBy: (name: string, grades: string) => text`“${{ name }}” is published and has prices for ${{ grades }}.`,
  noDay: text`Enter the first day of a later version.`,
  otherYear: (year: string) => text`Choose a day of ${{ year }}.`,
  manyAtOnce: text`Publish at most ${{ most: mostPublished }} fee structures at once. Select fewer.`,
  noLines: text`Add at least one fee head before publishing.`,
  asked: text`These prices wait for approval. Withdraw the request to change them.`,
  otherInstalments: (head: string) =>
    text`Fee plans of the year have the instalments of ${{ head }}. They change from the next year on.`,
};

export const structureFields = {
  name: field.text(text`Name`, { max: 100 }),
  academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
  branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
  programId: field.ref(text`Program`, { to: namedBy(programMaster) }),
  categoryId: field.ref(text`Student category`, {
    to: choices.category,
    optional: true,
    hint: text`Leave empty for all students.`,
  }),
  admissionType: field.oneOf(text`Charged to`, { options: admissionTypes }),
};

export const copyFields = {
  fromYearId: field.ref(text`From the year`, { to: namedBy(yearMaster) }),
  toYearId: field.ref(text`To the year`, { to: namedBy(yearMaster) }),
  rise: field.percent(text`Rise (%)`, { optional: true, hint: text`Leave empty for the same amounts.` }),
  unit: field.oneOf(text`Rounded down to (₹)`, { options: units }),
};

/** What publishing a later version asks. */
export const publishFields = {
  validFrom: field.date(text`Valid from`, {
    optional: true,
    hint: text`Plans take these prices for periods that begin on this day or later.`,
  }),
};

export const lineFields = {
  feeHeadId: neededId(text`Fee head`),
  annual: money(text`Annual amount (₹)`, { least: 1 }),
  frequencyId: neededId(text`Frequency`),
  months: wholeNumber(text`Months`, { least: 1, most: everyMonth, optional: true }),
};
const lineDraft = z.object(lineFields);

const gradeIds = listOf(id, { least: 1, most: mostGrades, none: structureMessages.noGrades });
const draft = { ...inputOf(structureFields), gradeIds };

interface Lines {
  lines: { feeHeadId: number | null }[];
}

const together = rule<Lines>(({ lines = [] }, say) => {
  const heads = lines.map((line) => line?.feeHeadId);
  const sayAt = (place: number, message: Text) => say(`lines.${place}.feeHeadId` as 'lines', message);
  heads.forEach((head, place) => {
    if (head && heads.indexOf(head) < place) sayAt(place, structureMessages.sameHead);
  });
});

const line = z.object({
  feeHeadId: z.number(),
  head: z.string(),
  /** The students whom the head is charged to. */
  appliesTo: z.enum(admissionTypes),
  frequencyId: z.number(),
  annual: z.number(),
  months: z.nullable(z.number()),
});
export type StructureLine = z.infer<typeof line>;

const structure = z.object({
  id: z.number(),
  version: z.number(),
  name: z.string(),
  academicYearId: z.number(),
  year: z.string(),
  startsOn: z.string(),
  endsOn: z.string(),
  branchId: z.number(),
  branch: z.string(),
  programId: z.number(),
  program: z.string(),
  categoryId: z.nullable(z.number()),
  category: z.string(),
  admissionType: z.enum(admissionTypes),
  versionNo: z.number(),
  status: z.enum(structureStates),
  editedBy: z.string(),
  publishedBy: z.string(),
  publishedOn: z.string(),
  /** The first day of a later version; '' for prices of the whole year. */
  validFrom: z.string(),
  grades: z.array(z.object({ id: z.number(), name: z.string() })),
  lines: z.array(line),
  may: abilities('edit', 'ask', 'publish', 'renew', 'remove'),
});
export type Structure = z.infer<typeof structure>;

const path = '/fee/structure';
const shows = ['fee-structure'] as const;
/** A decision on a request publishes prices. */
const changes = [...shows, 'approval', 'notification'] as const;
const saved = z.object({ id: z.number(), version: z.number() });

export const structureList = defineList({
  name: 'fee_structure',
  path,
  singular: text`fee structure`,
  plural: text`fee structures`,
  access: feeReaders,
  shows: [...shows, 'approval', 'year', 'branch', 'program', 'grade', 'lookup'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    year: { kind: 'text', label: text`Academic year`, head: text`Year` },
    grades: { kind: 'text', label: text`Grades` },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    program: { kind: 'text', label: text`Program`, isAside: true },
    category: { kind: 'text', label: text`Student category`, head: text`Category`, isAside: true },
    admissionType: { ...structureFields.admissionType, isAside: true },
    total: { kind: 'money', label: text`Annual amount`, head: text`A year` },
    versionNo: { kind: 'number', label: text`Version`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: structureStates },
  },
  filters: {
    academicYearId: { kind: 'ref', label: structureFields.academicYearId.label, options: yearMaster.api.options },
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    branchId: filterBy(structureFields.branchId),
    categoryId: filterBy(structureFields.categoryId),
  },
  tabs: {
    inUse: text`Published`,
    draft: text`Drafts`,
    all: text`All`,
  },
  extra: {},
});

export const structureApi = {
  read: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    access: feeReaders,
    shows: [...shows, 'approval', 'head', 'frequency'],
    input: z.object({ id }),
    output: structure,
  }),
  history: historyOf(path, feeReaders, shows),
  create: endpoint({
    method: 'POST',
    path,
    access: feeWriters,
    changes: shows,
    input: z.object(draft),
    output: saved,
  }),
  /** Saves a draft with its grades and prices. */
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: feeWriters,
    changes: shows,
    input: z
      .object({
        ...draft,
        lines: listOf(lineDraft, { most: mostLines, many: structureMessages.manyLines }),
        ...idAndVersion,
      })
      .check(together),
    output: saved,
  }),
  /** Makes a draft with the same prices, which replaces the published structure once it is published. */
  renew: endpoint({
    method: 'POST',
    path: `${path}/:id/version`,
    access: feeWriters,
    changes: shows,
    input: z.object(idAndVersion),
    output: saved,
  }),
  /** Copies published prices as drafts of a later year; amounts rise by a percentage and are rounded down. */
  copy: endpoint({
    method: 'POST',
    path: `${path}/copy`,
    access: feeWriters,
    changes: shows,
    input: z.object({
      ...inputOf(copyFields),
      confirmToken,
    }),
    output: previewed({
      rows: z.array(z.object({ id: z.number(), name: z.string(), before: z.number(), after: z.number() })),
      /** Drafts that were copied and never edited, which these replace. */
      replaced: z.array(z.string()),
      /** Structures whose grades have prices in the later year. */
      alreadyThere: z.number(),
    }),
  }),
  /** Asks a second person to publish the prices, or publishes them where the school lets deciders do so alone. */
  publish: endpoint({
    method: 'POST',
    path: `${path}/:id/publish`,
    access: [...feeWriters, ...feeDeciders],
    changes,
    /** A later version needs its first day. */
    input: z.object({ ...idAndVersion, ...inputOf(publishFields) }),
    output: z.object({ id: z.number(), status: z.enum(structureStates) }),
  }),
  /**
   * Asks for the selected drafts, a request each, or publishes them, as `publish` does for one. Those that are no draft,
   * have no prices, or grades with other published prices are skipped by name.
   */
  publishMany: endpoint({
    method: 'POST',
    path: `${path}/publish-many`,
    access: [...feeWriters, ...feeDeciders],
    changes,
    input: z.object({ selection, ...inputOf(publishFields), confirmToken }),
    output: z.extend(bulkAnswer, { status: z.enum(structureStates) }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: feeWriters,
    changes: shows,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
};
