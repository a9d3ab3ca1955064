import * as z from 'zod/mini';
import { feeWriters } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, idAndVersion, rule } from '#kit/contract/fields.ts';
import { money, mostMoney, showMoney } from '#kit/contract/money.ts';
import { options, text } from '#kit/contract/text.ts';

/** Where the money of a cancelled payment is. */
export const whereMoney = options('Given back now', 'It never came', 'The school still has it');
export type WhereMoney = (typeof whereMoney)[number];

export const moveMessages = {
  total: (amount: string) => text`The amounts must total ${{ amount }}.`,
  twice: text`Name each child once.`,
  children: text`Choose at least one child with an amount.`,
  same: text`Nothing has changed yet. Change a child or an amount.`,
  elsewhere: text`Choose children of your branches.`,
  waits: text`A request about this payment is waiting for a decision.`,
  notBack: text`Only cash of your own open day is given back. Choose “The school still has it”, and ask for a refund.`,
  dayOver: text`The day of this cash is over, so it can’t be given back from the drawer. Reject this, and ask with “The school still has it”.`,
  ownFamily: text`You are a guardian of one of these children. Another person decides.`,
  notUnplaced: text`This money is placed or paid back already.`,
};

/** What each child gets of a payment that is moved. */
const shares = z
  .array(z.object({ studentId: id, amount: money(text`Amount (₹)`, { least: 1, most: mostMoney }) }))
  .check(z.maxLength(12));
const isNamedOnce = rule<{ children: readonly { studentId: number }[] }>(({ children = [] }, say) => {
  if (children.length === 0) say('children', moveMessages.children);
  else if (new Set(children.map((one) => one?.studentId)).size < children.length) say('children', moveMessages.twice);
});
const reason = freeText(text`Reason`, 200);

const shows = ['fee-payment', 'fee-plan', 'approval', 'student', 'setting'] as const;
export const moveChanges = ['fee-payment', 'fee-plan', 'approval', 'notification'] as const;

const movedChild = z.object({
  studentId: z.number(),
  name: z.string(),
  grNo: z.string(),
  place: z.string(),
  /** What the child has of the payment now. */
  amount: z.number(),
});
export type MovedChild = z.infer<typeof movedChild>;

export const moveApi = {
  /** A payment with the children it stands for and the others of their household, and what can be done with it. */
  read: endpoint({
    method: 'GET',
    path: '/fee/payment/:id',
    access: feeWriters,
    opens: 'fee_payment',
    shows,
    input: z.object({ id }),
    output: z.object({
      id: z.number(),
      version: z.number(),
      paymentNo: z.string(),
      paidOn: z.string(),
      valueOn: z.string(),
      mode: z.string(),
      amount: z.number(),
      reference: z.string(),
      payer: z.string(),
      by: z.string(),
      receipts: z.string(),
      endedAs: z.string(),
      isAsked: z.boolean(),
      /** The user cancels alone, and moves within a household. */
      isAlone: z.boolean(),
      /** It lies in no drawer whose cash could be less. */
      isOwnDrawer: z.boolean(),
      isUnplaced: z.boolean(),
      answers: z.array(z.enum(whereMoney)),
      children: z.array(movedChild),
    }),
  }),
  /** Moves a payment to other children or another split: alone soon after it and within a household, else by a second person. */
  move: endpoint({
    method: 'POST',
    path: '/fee/payment/:id/move',
    access: feeWriters,
    changes: moveChanges,
    input: z.object({ ...idAndVersion, children: shares, reason }).check(isNamedOnce),
    output: z.object({ isAsked: z.boolean() }),
  }),
  /** Asks to place unplaced money with children. The id is that of its account. */
  place: endpoint({
    method: 'POST',
    path: '/fee/unplaced/:id/place',
    access: feeWriters,
    changes: moveChanges,
    input: z.object({ ...idAndVersion, children: shares, reason }).check(isNamedOnce),
    output: z.object({ isAsked: z.boolean() }),
  }),
};

/** Whether the shares total an amount; a refusal names it. */
export const totalOf = (children: readonly { amount: number | null }[]) =>
  children.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
export const totalRefusal = (amount: number) => moveMessages.total(showMoney(amount));
