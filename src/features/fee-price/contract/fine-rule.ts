import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, nameOptions, optionsInput, takenMessage } from '#kit/contract/field.ts';
import { freeText, idAndVersion, oneOf, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { money, showMoney } from '#kit/contract/money.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { savedOrAsked } from './proposal.ts';

/** How a late fine is computed: once, for each day after the grace period, or by the days since it. */
export const fineKinds = options('One time', 'Per day', 'Slab');
export type FineKind = (typeof fineKinds)[number];

export const mostSlabs = 12;

export const fineMessages = {
  sameName: takenMessage,
  noSlabs: text`Add at least one slab.`,
  manySlabs: text`Use at most ${{ mostSlabs }} slabs.`,
  rising: text`Enter a later day than in the slab above.`,
  more: text`Enter more than in the slab above.`,
  fromDay: text`Choose a day after the first day of the previous terms.`,
  past: text`These terms have begun. Add terms that start later.`,
};

export const slabFields = {
  fromDay: wholeNumber(text`From day`, { least: 1, most: 366 }),
  amount: money(text`Fine (₹)`, { least: 1 }),
};
const slabDraft = z.object(slabFields);
export type SlabDraft = z.infer<typeof slabDraft>;

/** The terms of a rule from a day on, as they are entered. */
const terms = {
  effectiveFrom: calendarDay(text`Valid from`),
  kind: oneOf(text`Fine`, fineKinds),
  amount: money(text`Amount (₹)`, { least: 1, optional: true }),
  graceDays: wholeNumber(text`Days of grace`, { least: 0, most: 60 }),
  maxAmount: money(text`At most (₹)`, { least: 1, optional: true }),
  slabs: listOf(slabDraft, { most: mostSlabs, many: fineMessages.manySlabs }),
};
interface TermsDraft {
  kind: string;
  amount: number | null;
  slabs: SlabDraft[];
}

const together = rule<TermsDraft>(({ kind, amount, slabs = [] }, say) => {
  const sayAt = (place: number, name: keyof SlabDraft, message: Text) =>
    say(`slabs.${place}.${name}` as 'slabs', message);
  if (kind !== 'Slab') {
    if (kind !== undefined && amount === null) say('amount', text`Amount (₹) is required.`);
    return;
  }
  if (slabs.length === 0) say('slabs', fineMessages.noSlabs);
  slabs.forEach((slab, place) => {
    const above = slabs[place - 1];
    if (!slab || !above) return;
    if (typeof slab.fromDay === 'number' && typeof above.fromDay === 'number' && slab.fromDay <= above.fromDay)
      sayAt(place, 'fromDay', fineMessages.rising);
    if (typeof slab.amount === 'number' && typeof above.amount === 'number' && slab.amount <= above.amount)
      sayAt(place, 'amount', fineMessages.more);
  });
});

const version = z.object({
  id: z.number(),
  effectiveFrom: z.string(),
  effectiveTo: z.string(),
  kind: z.enum(fineKinds),
  amount: z.nullable(z.number()),
  graceDays: z.number(),
  maxAmount: z.nullable(z.number()),
  slabs: z.array(z.object({ fromDay: z.number(), amount: z.number() })),
  /** It begins after today, so that it can be removed. */
  isFuture: z.boolean(),
});
export type FineTerms = z.infer<typeof version>;

const fineRule = z.object({
  id: z.number(),
  name: z.string(),
  isActive: z.boolean(),
  version: z.number(),
  usedBy: z.number(),
  /** The latest first. */
  versions: z.array(version),
});
export type FineRule = z.infer<typeof fineRule>;

/** Terms in one line, for people and the audit log. */
export function termsWords({
  kind,
  amount,
  graceDays,
  maxAmount,
  slabs,
}: Omit<FineTerms, 'id' | 'isFuture' | 'effectiveTo' | 'effectiveFrom'>): Text {
  const days = graceDays;
  const money = showMoney(amount ?? 0);
  const steps = slabs.map(({ fromDay, amount }) => `${fromDay}: ${showMoney(amount)}`).join(', ');
  const most = maxAmount === null ? '' : showMoney(maxAmount);
  if (kind === 'Slab') return text`By days late (${{ steps }}), after ${{ days }} days of grace`;
  if (kind === 'One time') return text`${{ money }} once, after ${{ days }} days of grace`;
  return most
    ? text`${{ money }} a day, at most ${{ most }}, after ${{ days }} days of grace`
    : text`${{ money }} a day, after ${{ days }} days of grace`;
}

const name = freeText(text`Name`, 60);
const isActive = tick(isActiveLabel);
const path = '/fee/fine-rule';
const shows = ['fine-rule'] as const;
const saved = z.object({ id: z.number(), version: z.number() });

export const fineRuleApi = {
  list: endpoint({
    method: 'GET',
    path,
    access: feeReaders,
    shows: ['fine-rule', 'head'],
    input: z.object({}),
    output: z.object({ rows: z.array(fineRule) }),
  }),
  options: endpoint({
    method: 'GET',
    path: `${path}/option`,
    access: feeReaders,
    shows,
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  history: historyOf(path, feeReaders, shows),
  create: endpoint({
    method: 'POST',
    path,
    access: feeWriters,
    changes: shows,
    input: z.object({ name, ...terms }).check(together),
    output: saved,
  }),
  rename: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: feeWriters,
    changes: shows,
    input: z.object({ name, isActive, ...idAndVersion }),
    output: saved,
  }),
  /** Adds terms from a later day on; the terms before end the day before. */
  addTerms: endpoint({
    method: 'POST',
    path: `${path}/:id/terms`,
    access: feeWriters,
    changes: ['fine-rule', 'fee-proposal'],
    input: z.object({ ...idAndVersion, ...terms }).check(together),
    output: savedOrAsked,
  }),
  /** Removes the latest terms, which have not begun; the terms before go on. */
  removeTerms: endpoint({
    method: 'POST',
    path: `${path}/:id/terms/remove`,
    access: feeWriters,
    changes: ['fine-rule', 'fee-proposal'],
    input: z.object(idAndVersion),
    output: savedOrAsked,
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

/** The late fine rules, as a target of a head’s field. */
export const fineRuleNames = {
  table: 'fee_fine_rule',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 60 }) },
  options: fineRuleApi.options,
};
