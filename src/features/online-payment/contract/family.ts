import * as z from 'zod/mini';
import { behindLink, proven } from '#features/family/contract/family.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, rule } from '#kit/contract/fields.ts';
import { money, mostMoney } from '#kit/contract/money.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

/** What became of a payment that a family entered. `Seen` has a receipt. */
export const homePaymentStates = options('Waiting', 'Seen', 'Not found');

/** How a receipt was paid, for families to read. */
const receiptModes = options('Cash', 'UPI', 'Card', 'Bank transfer', 'Net banking', 'Cheque', 'Demand draft');

/** The days back that a family can name. */
export const enteredDays = 60;

/** On the family page: what each child can pay by UPI today, by receipt series, and what the family has entered. In paise. */
export const familyPays = z.array(
  z.object({
    studentId: z.number(),
    series: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        upiId: z.string(),
        payee: z.string(),
        /** The day on which the address changed, for some days; else ''. */
        changedOn: z.string(),
        /** The amount due, less payments that the guardian has entered and the school has not found yet. */
        amount: z.number(),
        /** Opens a UPI app; '' where nothing is left to pay. */
        address: z.string(),
      }),
    ),
    /** The other series with an address: nothing is due in them, and money paid ahead is entered. */
    ahead: z.array(z.object({ id: z.number(), name: z.string(), upiId: z.string(), payee: z.string() })),
    /** Due in the series without an address. */
    atCounter: z.number(),
    entered: z.array(
      z.object({
        id: z.number(),
        reference: z.string(),
        paidOn: z.string(),
        amount: z.number(),
        state: z.enum(homePaymentStates),
        /** Of the receipts for this child; '' before. */
        receiptNo: z.string(),
        /** Why it was not found. */
        note: z.string(),
      }),
    ),
    /** The latest receipts, also those that were cancelled. */
    receipts: z.array(
      z.object({
        id: z.number(),
        receiptNo: z.string(),
        day: z.string(),
        amount: z.number(),
        mode: z.enum(receiptModes),
        ended: z.enum(['', 'Cancelled', 'Bounced']),
        /** Whether a proven phone may open it. */
        hasFile: z.boolean(),
      }),
    ),
  }),
);
export type FamilyPay = z.infer<typeof familyPays>[number];

/** Shorter ones are no reference of a bank. */
const leastReference = 6;
const isReference = rule<{ reference: string }>(({ reference }, say) => {
  if (reference && reference.replace(/[^A-Za-z0-9]/g, '').length < leastReference)
    say('reference', text`Enter the whole reference (UTR) that your UPI app shows, usually 12 digits.`);
});

export const payApi = {
  /** A receipt as a PDF, for who paid it, or another adult of the household. */
  receipt: endpoint({
    method: 'GET',
    path: '/family/receipt/:id/file',
    access: proven,
    input: z.object({ id }),
    output: servedFile,
  }),
  /** The papers that a guardian may have of a child: statements by academic year, certificates by year of the income tax. */
  papers: endpoint({
    method: 'GET',
    path: '/family/paper/:id',
    access: proven,
    input: z.object({ id }),
    output: z.object({
      statements: z.array(z.object({ yearId: z.number(), name: z.string() })),
      certificates: z.array(
        z.object({
          year: z.string(),
          startsIn: z.number(),
          seriesId: z.number(),
          series: z.string(),
          /** What counts now, in paise. */
          amount: z.number(),
        }),
      ),
    }),
  }),
  /** The statement of a child for an academic year. */
  statement: endpoint({
    method: 'GET',
    path: '/family/statement/:id/file',
    access: proven,
    input: z.object({ id, yearId: id }),
    output: servedFile,
  }),
  /** Certifies what was paid in a year of the income tax; the same certificate again where nothing has changed since. */
  certify: endpoint({
    method: 'POST',
    path: '/family/certificate',
    access: proven,
    input: z.object({
      studentId: id,
      startsIn: z.number().check(z.int(), z.gte(1), z.lte(9999)),
      seriesId: id,
    }),
    output: z.object({ id: z.number(), certificateNo: z.string() }),
  }),
  certificate: endpoint({
    method: 'GET',
    path: '/family/certificate/:id/file',
    access: proven,
    input: z.object({ id }),
    output: servedFile,
  }),
  /** Enters a payment. The same reference with another day, amount or series changes it, until it has a receipt. */
  enter: endpoint({
    method: 'POST',
    path: '/family/payment',
    access: behindLink,
    isRepeatable: true,
    input: z
      .object({
        studentId: id,
        seriesId: id,
        reference: freeText(text`Reference (UTR)`, 60, { isCode: true }),
        amount: money(text`Amount (₹)`, { least: 1, most: mostMoney }),
        paidOn: calendarDay(text`Paid on`),
      })
      .check(isReference),
    output: z.object({}),
  }),
};
