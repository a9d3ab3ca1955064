import * as z from 'zod/mini';
import { feeDeciders, feeReaders, feeWriters } from '#access/contract/grants.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, nameOptions, optionsInput, takenMessage } from '#kit/contract/field.ts';
import { freeText, id, idAndVersion, oneOf, optionalFreeText, optionalId, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { isActiveLabel, namedBy } from '#kit/contract/master.ts';
import { money, percent, showMoney, showPercent, wholePercent } from '#kit/contract/money.ts';
import { neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { savedOrAsked, waitingChange } from './proposal.ts';

/** What a discount takes off. */
export const valueKinds = options('Percent', 'Fixed amount', 'Full waiver');
/** Which students are suggested for it; of the others an accountant asks for it. */
export const eligibilities = options('Any student', 'Siblings', 'Staff child', 'RTE', 'Student category', 'Merit');
export const headScopes = options('All heads with concessions', 'Some heads');

const mostHeads = 40;

export const discountMessages = {
  sameName: takenMessage,
  sameCode: takenMessage,
  noHeads: text`Choose at least one fee head.`,
  oneHead: text`Choose one fee head: the amount is spread over its months.`,
  noCategories: text`Choose at least one category.`,
  siblingPercent: text`A discount of siblings is a percentage.`,
  rising: text`Enter at least the percentage of the previous child.`,
  inUse: text`Students have this discount. Duplicate it to change its terms.`,
};

const values = {
  name: freeText(text`Name`, 80),
  code: freeText(text`Code`, 12, { isCode: true }),
  valueKind: oneOf(text`Takes off`, valueKinds),
  percent: percent(text`Percentage (%)`, { least: 1, optional: true }),
  amount: money(text`Amount a year (₹)`, { least: 1, optional: true }),
  heads: oneOf(text`Fee heads`, headScopes),
  headIds: listOf(id, { most: mostHeads }),
  eligibility: oneOf(text`For`, eligibilities),
  categoryIds: listOf(id, { most: mostHeads }),
  thirdPercent: percent(text`Third child (%)`, { least: 1, optional: true }),
  fourthPercent: percent(text`Fourth and later children (%)`, { least: 1, optional: true }),
  stackGroup: optionalFreeText(text`Group`, 20),
  priority: wholeNumber(text`Priority`, { least: 1, most: 99 }),
  maxAmount: money(text`At most a year (₹)`, { least: 1, optional: true }),
  needsApproval: tick(text`Always needs approval`),
  approvalAbove: percent(text`Needs approval above (%)`, { least: 1, optional: true }),
  ...inputOf({
    academicYearId: field.ref(text`Only in the academic year`, { to: namedBy(yearMaster), optional: true }),
  }),
};
/** What is entered of a discount; the try-out takes it before it is saved. */
const discountDraft = z.object(values);
export type DiscountDraft = z.infer<typeof discountDraft>;

const together = rule<DiscountDraft>((draft, say) => {
  const { valueKind, heads, headIds = [], eligibility, categoryIds = [] } = draft;
  if (valueKind === 'Percent' && draft.percent === null) say('percent', text`Percentage (%) is required.`);
  if (valueKind === 'Fixed amount' && draft.amount === null) say('amount', text`Amount a year (₹) is required.`);
  if (valueKind === 'Fixed amount') {
    if (heads !== undefined && (heads !== 'Some heads' || headIds.length !== 1))
      say('headIds', discountMessages.oneHead);
  } else if (heads === 'Some heads' && headIds.length === 0) say('headIds', discountMessages.noHeads);
  if (eligibility === 'Student category' && categoryIds.length === 0) say('categoryIds', discountMessages.noCategories);
  if (eligibility !== 'Siblings') return;
  if (valueKind !== undefined && valueKind !== 'Percent') say('valueKind', discountMessages.siblingPercent);
  const { percent: second, thirdPercent: third, fourthPercent: fourth } = draft;
  if (typeof second === 'number' && typeof third === 'number' && third < second)
    say('thirdPercent', discountMessages.rising);
  const before = third ?? second;
  if (typeof before === 'number' && typeof fourth === 'number' && fourth < before)
    say('fourthPercent', discountMessages.rising);
});

const discount = z.object({
  id: z.number(),
  name: z.string(),
  code: z.string(),
  valueKind: z.enum(valueKinds),
  percent: z.nullable(z.number()),
  amount: z.nullable(z.number()),
  heads: z.array(z.object({ id: z.number(), name: z.string() })),
  eligibility: z.enum(eligibilities),
  categories: z.array(z.object({ id: z.number(), name: z.string() })),
  steps: z.array(z.object({ child: z.number(), percent: z.number() })),
  stackGroup: z.string(),
  priority: z.number(),
  maxAmount: z.nullable(z.number()),
  needsApproval: z.boolean(),
  approvalAbove: z.nullable(z.number()),
  academicYearId: z.nullable(z.number()),
  year: z.string(),
  isActive: z.boolean(),
  version: z.number(),
  /** The number of concessions that were asked for or granted with it. */
  usedBy: z.number(),
});
export type Discount = z.infer<typeof discount>;

const path = '/fee/discount';
const discountShows = ['fee-discount'] as const;
export const discountApi = {
  list: endpoint({
    method: 'GET',
    path,
    access: feeReaders,
    shows: [...discountShows, 'head', 'fee-concession', 'approval'],
    input: z.object({}),
    output: z.object({ rows: z.array(discount), waiting: z.array(waitingChange) }),
  }),
  options: endpoint({
    method: 'GET',
    path: `${path}/option`,
    access: feeReaders,
    shows: discountShows,
    input: z.object(optionsInput),
    output: nameOptions,
  }),
  history: historyOf(path, feeReaders, discountShows),
  /** Adds a discount; once the school has taken money, a second person decides on it. */
  create: endpoint({
    method: 'POST',
    path,
    access: feeWriters,
    changes: [...discountShows, 'approval'],
    input: discountDraft.check(together),
    output: savedOrAsked,
  }),
  /** Changes a discount; once the school has taken money, a second person decides on all that may lower fees. */
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: feeWriters,
    changes: [...discountShows, 'approval'],
    input: z.object({ ...values, isActive: tick(isActiveLabel), ...idAndVersion }).check(together),
    output: savedOrAsked,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: feeWriters,
    changes: discountShows,
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
};

const stepLimits = ['group', 'maximum', 'cap'] as const;

const tried = z.object({
  /** Of the student's year: what is charged, what remains, and what this discount takes off, in paise. */
  charged: z.number(),
  net: z.number(),
  takenOff: z.number(),
  dues: z.array(
    z.object({
      label: z.string(),
      head: z.string(),
      dueOn: z.string(),
      charged: z.number(),
      steps: z.array(
        z.object({
          discount: z.string(),
          amount: z.number(),
          left: z.number(),
          limits: z.array(z.enum(stepLimits)),
        }),
      ),
      net: z.number(),
    }),
  ),
});
export type Tried = z.infer<typeof tried>;

export const tryOutApi = {
  /** Computes a year of one student with a discount as it is entered, without storing anything. */
  tryOut: endpoint({
    method: 'POST',
    path: `${path}/try`,
    access: [...feeWriters, ...feeDeciders],
    changes: [],
    isRepeatable: true,
    input: z
      .object({
        ...values,
        studentId: neededId(text`Student`),
        yearId: neededId(text`Academic year`),
        /** The stored discount that is tried out: its concession is left out. */
        discountId: optionalId,
      })
      .check(together),
    output: tried,
  }),
};

/** The discounts, as a target of a concession’s field. */
export const discountNames = {
  table: 'fee_discount',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 80 }) },
  options: discountApi.options,
};

type Value = Pick<Discount, 'valueKind' | 'percent' | 'amount' | 'steps'>;

/** What a discount takes off, in one line: 10 %, third child 20 %. */
export function valueWords({ valueKind, percent, amount, steps }: Value): Text {
  const money = showMoney(amount ?? 0);
  if (valueKind === 'Fixed amount') return text`${{ money }} a year`;
  if (valueKind === 'Full waiver') return text`Everything`;
  const share = showPercent(percent ?? 0);
  if (steps.length === 0) return text`${{ share }}`;
  const later = steps.map((step) => showPercent(step.percent)).join(', ');
  return text`${{ share }}, later children ${{ later }}`;
}

/** Whether a concession of this percentage needs a second person; a fixed amount and a waiver count as 100 %. */
export const isToBeApproved = (
  { needsApproval, approvalAbove }: Pick<Discount, 'needsApproval' | 'approvalAbove'>,
  share: number | null,
) => needsApproval || (approvalAbove !== null && (share ?? wholePercent) > approvalAbove);
