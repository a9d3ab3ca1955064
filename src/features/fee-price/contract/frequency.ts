import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, nameOptions, optionsInput, takenMessage } from '#kit/contract/field.ts';
import { freeText, idAndVersion, oneOf, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { percent, wholePercent } from '#kit/contract/money.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';

/** How often a frequency's instalments come; Custom has any months. */
export const frequencyKinds = options(
  'Monthly',
  'Bi-monthly',
  'Quarterly',
  'Half-yearly',
  'Annual',
  'One-time',
  'Custom',
);
export type FrequencyKind = (typeof frequencyKinds)[number];

/** How amounts of a year are shared among instalments. */
export const shareKinds = options('Equal shares', 'Percentages');
/** Rupees to which a share is rounded down. */
export const units = ['1', '10', '50', '100'] as const;
export const mostInstalments = 12;

export const frequencyMessages = {
  sameName: takenMessage,
  sameCode: takenMessage,
  none: text`Add at least one instalment.`,
  many: text`Use at most ${{ mostInstalments }} instalments.`,
  overlap: text`These months belong to another instalment already.`,
  beyond: text`The year has only 12 months. Choose fewer months.`,
  /** Of shares that no page can send. */
  whole: text`The shares must total 100 %.`,
  inUse: text`Prices use these instalments. Duplicate the frequency to change them.`,
  remainder: text`Choose one of the instalments.`,
};

/** One instalment, as it is entered. */
export const rowFields = {
  label: freeText(text`Label`, 40),
  fromMonth: wholeNumber(text`First month`, { least: 0, most: 11 }),
  months: wholeNumber(text`Months`, { least: 1, most: 12 }),
  dueMonth: wholeNumber(text`Due month`, { least: 0, most: 12 }),
  dueDay: wholeNumber(text`Due day`, { least: 1, most: 28 }),
  share: percent(text`Share (%)`, { least: 1, optional: true }),
};
const rowDraft = z.object(rowFields);
export type RowDraft = z.infer<typeof rowDraft>;

const values = {
  name: freeText(text`Name`, 50),
  code: freeText(text`Code`, 10, { isCode: true }),
  kind: oneOf(text`Frequency`, frequencyKinds),
  sharing: oneOf(text`Shares`, shareKinds),
  unit: oneOf(text`Round each instalment down to (₹)`, units),
  remainderSeq: wholeNumber(text`Add the rest to instalment`, { least: 1, most: mostInstalments }),
  rows: listOf(rowDraft, {
    least: 1,
    most: mostInstalments,
    none: frequencyMessages.none,
    many: frequencyMessages.many,
  }),
};
const isActive = tick(isActiveLabel);

interface Draft {
  sharing: string;
  remainderSeq: number | null;
  rows: RowDraft[];
}

/** The rules between instalments; fields that are refused on their own are left out. */
const together = rule<Draft>(({ sharing, remainderSeq, rows = [] }, say) => {
  const sayAt = (place: number, name: keyof RowDraft, message: Text) => say(`rows.${place}.${name}` as 'rows', message);
  const taken = new Set<number>();
  rows.forEach((row, place) => {
    if (typeof row?.fromMonth !== 'number' || typeof row.months !== 'number') return;
    const months = Array.from({ length: row.months }, (_, month) => Number(row.fromMonth) + month);
    if (months.some((month) => month > 11)) sayAt(place, 'months', frequencyMessages.beyond);
    else if (months.some((month) => taken.has(month))) sayAt(place, 'fromMonth', frequencyMessages.overlap);
    for (const month of months) taken.add(month);
  });
  if (sharing === 'Percentages') {
    const shares = rows.map((row) => row?.share);
    const missing = shares.indexOf(null);
    if (missing >= 0) sayAt(missing, 'share', text`Enter a share, or choose equal shares.`);
    const isAll = shares.every((share) => typeof share === 'number');
    const total = shares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
    if (isAll && rows.length > 0 && total !== wholePercent) sayAt(rows.length - 1, 'share', frequencyMessages.whole);
  }
  if (typeof remainderSeq === 'number' && rows.length > 0 && remainderSeq > rows.length)
    say('remainderSeq', frequencyMessages.remainder);
});

const row = z.object({
  seq: z.number(),
  label: z.string(),
  fromMonth: z.number(),
  months: z.number(),
  dueMonth: z.number(),
  dueDay: z.number(),
  share: z.nullable(z.number()),
});
const frequency = z.object({
  id: z.number(),
  name: z.string(),
  code: z.string(),
  kind: z.enum(frequencyKinds),
  isEqual: z.boolean(),
  unit: z.number(),
  remainderSeq: z.number(),
  isActive: z.boolean(),
  version: z.number(),
  /** The number of fee heads that use it. */
  usedBy: z.number(),
  rows: z.array(row),
});
export type Frequency = z.infer<typeof frequency>;
export type FrequencyRow = z.infer<typeof row>;

const path = '/fee/frequency';
const saved = z.object({ id: z.number(), version: z.number() });
const shows = ['frequency'] as const;

export const frequencyApi = {
  list: endpoint({
    method: 'GET',
    path,
    access: feeReaders,
    shows: ['frequency', 'head'],
    input: z.object({}),
    output: z.object({ rows: z.array(frequency) }),
  }),
  options: endpoint({
    method: 'GET',
    path: `${path}/option`,
    access: feeReaders,
    shows,
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  /** The days on which nothing falls due; none unless the school moves due days off holidays. */
  daysOff: endpoint({
    method: 'GET',
    path: `${path}/day-off`,
    access: feeReaders,
    shows: ['setting', 'calendar', 'year'],
    input: z.object({}),
    output: z.object({ days: z.array(z.string()) }),
  }),
  history: historyOf(path, feeReaders, shows),
  create: endpoint({
    method: 'POST',
    path,
    access: feeWriters,
    changes: shows,
    input: z.object(values).check(together),
    output: saved,
  }),
  /** Saves the frequency with all its instalments. */
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: feeWriters,
    changes: shows,
    input: z.object({ ...values, isActive, ...idAndVersion }).check(together),
    output: saved,
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

/** The frequencies, as a target of a head’s field. */
export const frequencyNames = {
  table: 'fee_frequency',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 50 }) },
  options: frequencyApi.options,
};

/** How many months an instalment of each kind has; none for those that have only one. */
const monthsOfKind: Partial<Record<FrequencyKind, number>> = {
  Monthly: 1,
  'Bi-monthly': 2,
  Quarterly: 3,
  'Half-yearly': 6,
  Annual: 12,
  'One-time': 12,
};

/** The usual instalments of a kind: each is due on the 10th of its first month. Custom has none. */
export function usualRows(kind: FrequencyKind): Omit<FrequencyRow, 'label'>[] {
  const months = monthsOfKind[kind];
  if (!months) return [];
  return Array.from({ length: 12 / months }, (_, place) => ({
    seq: place + 1,
    fromMonth: place * months,
    months,
    dueMonth: place * months,
    dueDay: 10,
    share: null,
  }));
}
