import * as z from 'zod/mini';
import { anyText } from '#kit/contract/any-text.ts';

/** A receipt as it is printed, on A4 or on 80 mm, by a browser or as a PDF. It is kept as it was first printed. */
export const receiptPaper = z.object({
  id: z.number(),
  receiptNo: z.string(),
  paymentNo: z.string(),
  school: z.object({ name: z.string(), lines: z.array(z.string()) }),
  /** The heading of its receipt series; '' for none. */
  heading: z.string(),
  date: z.string(),
  student: z.string(),
  grNo: z.string(),
  /** Of an applicant, who has no GR number yet. */
  applicationNo: z.optional(z.string()),
  place: z.string(),
  rollNo: z.string(),
  receivedFrom: z.string(),
  mode: z.string(),
  reference: z.string(),
  lines: z.array(
    z.object({ head: z.string(), label: z.string(), dueOn: z.string(), due: z.number(), paid: z.number() }),
  ),
  total: z.number(),
  inWords: anyText,
  /** What is still due, the other receipts of the payment, and who took it. */
  notes: z.array(anyText),
  /** "Original", "Duplicate 2". */
  copy: anyText,
  isCancelled: z.boolean(),
  /** The whole payment, which may have several receipts. */
  payment: z.object({ amount: z.number(), inWords: anyText }),
});
export type ReceiptPaper = z.infer<typeof receiptPaper>;

/** What is kept of a receipt: all but what later prints change. */
export type IssuedReceipt = Omit<ReceiptPaper, 'id' | 'copy' | 'isCancelled' | 'payment'>;

/** The number of a payment on slips and receipts. */
export const paymentNo = (id: number) => `P-${String(id).padStart(5, '0')}`;
