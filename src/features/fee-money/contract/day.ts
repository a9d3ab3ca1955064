import * as z from 'zod/mini';
import { feeDeciders, feeReaders, feeWriters } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { idAndVersion, optionalFreeText, rule } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { money } from '#kit/contract/money.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';

/** Notes and coins of a drawer, in rupees. */
export const notes = [2000, 500, 200, 100, 50, 20, 10, 5, 2, 1] as const;

/** How many shifts a cashier’s drawer has in a day. */
export const mostShifts = 3;

export const dayMessages = {
  reason: text`The cash differs from the expected amount. Enter a reason.`,
  closed: text`This shift is closed.`,
  opening: text`The last shift left another amount. Enter a reason.`,
  received: text`Cash was received already. A missing or extra note shows when you close the shift.`,
  noShift: text`The first shift of a day opens with its first payment.`,
  shiftOpen: text`A shift of yours is open already.`,
  mostShifts: text`A day has three shifts at most. Another cashier can take the money today, or you tomorrow.`,
  otherReason: text`Enter why you close the drawer of another cashier.`,
  banked: text`No more than the counted cash can go to the bank.`,
  slip: text`Enter the number of the slip.`,
  notOwn: text`Only users without a limit to branches see the days of others.`,
};

const shows = ['fee-day', 'fee-payment'] as const;
const changes = ['fee-day'] as const;

const total = z.object({ amount: z.number(), receipts: z.number() });
const day = z.object({
  /** Null while nothing was received and the opening cash was not counted. */
  id: z.nullable(z.number()),
  version: z.number(),
  day: z.string(),
  shift: z.number(),
  /** All shifts of the cashier on the day, in order. */
  shifts: z.array(z.object({ shift: z.number(), isClosed: z.boolean() })),
  staffId: z.number(),
  cashier: z.string(),
  /** Those with a drawer on this day, and the reader. */
  cashiers: z.array(z.object({ id: z.number(), name: z.string() })),
  isClosed: z.boolean(),
  openingCash: z.number(),
  /** What the last closed shift left in the drawer; the opening cash unless the cashier counted another amount. */
  carried: z.number(),
  isCounted: z.boolean(),
  openingReason: z.string(),
  modes: z.array(z.extend(total, { mode: z.string() })),
  /** Payments of the day that ended on the same day. */
  cancelled: total,
  series: z.array(
    z.extend(total, { id: z.number(), name: z.string(), first: z.string(), last: z.string(), missing: z.number() }),
  ),
  cashReceived: z.number(),
  cashCancelled: z.number(),
  expected: z.number(),
  counts: z.array(z.object({ note: z.number(), pieces: z.number() })),
  counted: z.number(),
  difference: z.number(),
  reason: z.string(),
  banked: z.number(),
  slipNo: z.string(),
  closedBy: z.string(),
  closedAt: z.string(),
  /** Open shifts of earlier days, of all cashiers whom the reader sees. */
  open: z.array(z.object({ day: z.string(), staffId: z.number(), cashier: z.string(), shift: z.number() })),
  /** The drawer is another cashier’s: who closes it says why. */
  isOther: z.boolean(),
  may: z.object({ count: z.boolean(), close: z.boolean(), openShift: z.boolean() }),
});
export type CashierDay = z.infer<typeof day>;

const closing = rule<{ banked: number | null; slipNo: string }>(({ banked, slipNo }, say) => {
  if ((banked ?? 0) > 0 && slipNo === '') say('slipNo', dayMessages.slip);
});

export const dayApi = {
  /** What a cashier received on a day, and the cash that is expected; of the reader and today without others. */
  read: endpoint({
    method: 'GET',
    path: '/fee/day',
    access: feeReaders,
    shows,
    input: z.object({
      day: calendarDay(text`Day`, true),
      staffId: z._default(z.string().check(z.maxLength(10)), ''),
      /** The last one where it is left out. */
      shift: z._default(z.string().check(z.regex(/^[1-3]?$/)), ''),
    }),
    output: day,
  }),
  /** Counts the opening cash of the own drawer, until the first payment in cash; another amount than was left has a reason. */
  open: endpoint({
    method: 'POST',
    path: '/fee/day/open',
    access: feeWriters,
    changes,
    input: z.object({
      openingCash: money(text`Counted (₹)`),
      reason: optionalFreeText(text`Reason for another amount`, 500),
    }),
    output: z.object({ id: z.number() }),
  }),
  /** Opens the next shift of the own drawer today, with what the closed one left. */
  openShift: endpoint({
    method: 'POST',
    path: '/fee/day/shift',
    access: feeWriters,
    changes,
    input: z.object({}),
    output: z.object({ id: z.number(), shift: z.number(), openingCash: z.number() }),
  }),
  /**
   * Closes a shift for good: its cashier, on the day also a finance approver or the principal, from the next day on every
   * accountant; others than the cashier with a reason.
   */
  close: endpoint({
    method: 'POST',
    path: '/fee/day/:id/close',
    access: [...feeWriters, ...feeDeciders],
    changes,
    input: z
      .object({
        ...idAndVersion,
        counts: listOf(
          z.object({
            note: wholeNumber(text`Note or coin`, { least: 1, most: 2000 }),
            pieces: wholeNumber(text`Pieces`, { least: 0, most: 100_000, optional: true }),
          }),
          { most: notes.length },
        ),
        reason: optionalFreeText(text`Reason`, 500),
        banked: money(text`To the bank (₹)`, { optional: true }),
        slipNo: optionalFreeText(text`Slip number`, 30),
      })
      .check(closing),
    output: z.object({ counted: z.number(), expected: z.number(), difference: z.number() }),
  }),
};
